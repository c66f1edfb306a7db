// Front matter for the markdown parser: lines between two `---` at the very beginning are no heading and no rule.
import { tags } from "@lezer/highlight";
import type { markdown } from "@codemirror/lang-markdown";

type MarkdownExtension = NonNullable<NonNullable<Parameters<typeof markdown>[0]>["extensions"]>;

export const frontMatter: MarkdownExtension = {
  defineNodes: [{ name: "FrontMatter", block: true, style: tags.meta }],
  parseBlock: [
    {
      name: "FrontMatter",
      before: "HorizontalRule",
      parse: (context, line) => {
        if (context.lineStart !== 0 || line.text.trimEnd() !== "---") return false;
        while (context.nextLine()) {
          if (line.text.trimEnd() === "---") {
            context.nextLine();
            break;
          }
        }
        context.addElement(context.elt("FrontMatter", 0, context.prevLineEnd()));
        return true;
      },
    },
  ],
};
