import { Popover } from "radix-ui";
import { useState } from "react";
import type { OptionKind } from "@/api/types";
import type { Piece } from "@/features/document";
import { useAnswers } from "./answers";
import { OptionText } from "./option-text";
import { Options } from "./options";
import { plain } from "./wording";

/** The decisions on a section, beside its heading in the lesson itself. */
export function SectionTools({ piece }: { piece: Piece }) {
  const answers = useAnswers();
  const [writing, setWriting] = useState<OptionKind | null>(null);
  if (!answers || answers.entry.theme !== "sections" || answers.entry.question.kind !== "items") return null;
  const item = answers.items.find((it) => it.id === piece.id);
  if (!item) return null;
  const { options } = answers.entry.question;
  const decision = answers.of(item.id);
  const choose = (option: OptionKind) => {
    if (!plain(option)) setWriting(option);
    else if (decision?.choice === option.id) answers.clear(item.id);
    else answers.decide({ item: item.id, choice: option.id });
  };
  return (
    <Popover.Root open={writing !== null} onOpenChange={(open) => (open ? undefined : setWriting(null))}>
      <Popover.Anchor asChild>
        <span>
          <Options label={`Your decision on ${item.label}`} options={options} chosen={decision} writing={writing?.id ?? null} disabled={answers.busy} onChoose={choose} />
        </span>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content onInteractOutside={(event) => event.preventDefault()} align="end" sideOffset={6} collisionPadding={8} aria-label={writing?.text_prompt ?? ""} className="fade-in z-40 w-[min(24rem,calc(100vw-1rem))] rounded-xl border border-line bg-raised p-3 shadow-float">
          {writing ? (
            <OptionText
              theme="sections"
              option={writing}
              start={decision?.choice === writing.id ? (decision.text ?? "") : ""}
              onCancel={() => setWriting(null)}
              onSave={(text) => {
                answers.decide({ item: item.id, choice: writing.id, text });
                setWriting(null);
              }}
            />
          ) : null}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
