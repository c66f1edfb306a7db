// Markdown to the tree that is shown. Runs in a worker in the browser, and directly in tests.
import type { Definition, Nodes, PhrasingContent, RootContent, TableRow } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import { placeOf, webAddress, type Block, type Inline, type Item } from "./tree";

/** Deepest nesting that is shown as such. */
const DEPTH_MAX = 10;
/** Most nodes of one text; what comes behind is left out and said to be. */
const NODES_MAX = 30_000;
/** Longest formula that is typeset. */
export const MATH_MAX = 2_000;

export function parse(text: string): Block[] {
  const tree = fromMarkdown(text, { extensions: [gfm(), math()], mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()] });
  const reader = new Reader(text);
  reader.define(tree.children);
  const blocks = reader.blocks(tree.children, 0);
  if (reader.full) blocks.push({ t: "plain", v: "[… the rest is left out: it is too long to show]" });
  return blocks;
}

class Reader {
  private nodes = 0;
  private readonly definitions = new Map<string, Definition>();

  constructor(private readonly source: string) {}

  get full(): boolean {
    return this.nodes > NODES_MAX;
  }

  define(nodes: RootContent[]): void {
    for (const node of nodes) {
      if (node.type === "definition" && !this.definitions.has(node.identifier)) this.definitions.set(node.identifier, node);
    }
  }

  blocks(nodes: RootContent[], depth: number): Block[] {
    const out: Block[] = [];
    for (const node of nodes) {
      if (this.full) break;
      this.nodes += 1;
      const block = depth >= DEPTH_MAX ? ({ t: "plain", v: this.slice(node) } as const) : this.block(node, depth);
      if (block) out.push(block);
    }
    return out;
  }

  private slice(node: Nodes): string {
    return this.source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
  }

  private block(node: RootContent, depth: number): Block | null {
    switch (node.type) {
      case "heading":
        return { t: "heading", level: node.depth, c: this.inlines(node.children, 0) };
      case "paragraph": {
        const [only] = node.children;
        // A formula between double dollars that stands alone is a line of its own.
        if (node.children.length === 1 && only?.type === "inlineMath" && this.slice(only).startsWith("$$")) return this.formula(only.value);
        return { t: "p", c: this.inlines(node.children, 0) };
      }
      case "blockquote":
        return { t: "quote", c: this.blocks(node.children, depth + 1) };
      case "list": {
        const items: Item[] = [];
        for (const item of node.children) {
          if (this.full) break;
          items.push({ checked: item.checked ?? null, c: this.blocks(item.children, depth + 1) });
        }
        return { t: "list", start: node.ordered ? (node.start ?? 1) : null, tight: !node.children.some((it) => it.spread), items };
      }
      case "code":
        return node.lang === "math" ? { t: "maths", v: node.value } : { t: "pre", lang: node.lang ?? null, v: node.value };
      case "math":
        return this.formula(node.value);
      case "table":
        return { t: "table", align: node.align ?? [], rows: node.children.map((row) => this.cells(row)) };
      case "thematicBreak":
        return { t: "rule" };
      case "html":
        return { t: "p", c: [{ t: "text", v: node.value }] };
      case "footnoteDefinition":
        return { t: "p", c: [{ t: "text", v: `[${node.label ?? node.identifier}] ${this.slice(node).replace(/^\[\^[^\]]*\]:\s*/, "")}` }] };
      default:
        return null;
    }
  }

  private formula(value: string): Block {
    return value.length > MATH_MAX ? { t: "pre", lang: null, v: value } : { t: "maths", v: value };
  }

  private cells(row: TableRow): Inline[][] {
    return row.children.map((cell) => this.inlines(cell.children, 0));
  }

  private inlines(nodes: PhrasingContent[], depth: number): Inline[] {
    const out: Inline[] = [];
    for (const node of nodes) {
      if (this.full) break;
      this.nodes += 1;
      const made = depth >= DEPTH_MAX ? ({ t: "text", v: this.slice(node) } as const) : this.inline(node, depth);
      if (made) out.push(...(Array.isArray(made) ? made : [made]));
    }
    return out;
  }

  private inline(node: PhrasingContent, depth: number): Inline | Inline[] | null {
    switch (node.type) {
      case "text":
        return { t: "text", v: node.value };
      case "html":
        return { t: "text", v: node.value };
      case "emphasis":
        return { t: "em", c: this.inlines(node.children, depth + 1) };
      case "strong":
        return { t: "strong", c: this.inlines(node.children, depth + 1) };
      case "delete":
        return { t: "del", c: this.inlines(node.children, depth + 1) };
      case "inlineCode":
        return { t: "code", v: node.value };
      case "inlineMath":
        return this.math(node.value, this.slice(node));
      case "break":
        return { t: "break" };
      case "link":
        return this.link(node.url, node.title ?? null, node.children, depth);
      case "linkReference": {
        const to = this.definitions.get(node.identifier);
        return to ? this.link(to.url, to.title ?? null, node.children, depth) : this.inlines(node.children, depth + 1);
      }
      case "image":
      case "imageReference":
        return { t: "picture", v: node.alt ?? "" };
      case "footnoteReference":
        return { t: "text", v: `[${node.label ?? node.identifier}]` };
      default:
        return null;
    }
  }

  /** Between dollars stands a formula, or two prices: "from $5 to $9" is one of those. */
  private math(value: string, source: string): Inline {
    const price = source.startsWith("$") && !source.startsWith("$$") && (/^\s|\s$/.test(value) || /^\d[\d.,]*\s+[a-z]/i.test(value));
    if (price) return { t: "text", v: source };
    return value.length > MATH_MAX ? { t: "code", v: value } : { t: "math", v: value };
  }

  private link(url: string, title: string | null, children: PhrasingContent[], depth: number): Inline | Inline[] {
    const inner = this.inlines(children, depth + 1);
    const place = placeOf(url);
    if (place) return { t: "evidence", place, quote: title, c: inner };
    const href = webAddress(url);
    return href ? { t: "link", href, c: inner } : inner;
  }
}
