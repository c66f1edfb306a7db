import { useId, useMemo, useState } from "react";
import { count } from "@/lib/words";
import { Button, cx, Dialog } from "@/ui";
import { differences, marked, merged, parts, shortened, type Pick, type Piece } from "@/lib/versions";
import type { OpenFile } from "./use-file";

const PICKS: { value: Pick; label: string }[] = [
  { value: "mine", label: "Mine" },
  { value: "theirs", label: "Theirs" },
  { value: "both", label: "Both" },
];

function Same({ text }: { text: string }) {
  const { head, hidden, tail } = shortened(text);
  return (
    <div className="whitespace-pre-wrap px-3 py-1.5 text-soft">
      {head}
      {hidden > 0 ? <p className="my-1 border-y border-dashed border-line py-0.5 text-center text-sm">{count(hidden, "line")} the same</p> : null}
      {tail}
    </div>
  );
}

function Side({ title, pieces, tone, chosen }: { title: string; pieces: Piece[]; tone: "added" | "removed"; chosen: boolean }) {
  const Mark = tone === "added" ? "ins" : "del";
  return (
    <div className={cx("min-w-0 flex-1 rounded-lg border px-3 py-2", chosen ? "border-accent bg-raised" : "border-dashed border-line bg-sunken")}>
      <p className="mb-1 text-sm font-medium text-soft">{title}</p>
      <div className="whitespace-pre-wrap">
        {pieces.length === 0 ? <span className="italic text-soft">nothing here</span> : null}
        {pieces.map((piece, index) =>
          piece.changed ? (
            <Mark key={index} className={cx("rounded-sm no-underline", tone === "added" ? "bg-added" : "bg-removed")}>{piece.text}</Mark>
          ) : (
            <span key={index}>{piece.text}</span>
          ),
        )}
      </div>
    </div>
  );
}

function Difference({ number, of, mine, theirs, pick, onPick }: { number: number; of: number; mine: string; theirs: string; pick: Pick; onPick: (pick: Pick) => void }) {
  const name = useId();
  const sides = useMemo(() => marked(mine, theirs), [mine, theirs]);
  return (
    <fieldset className="my-2 rounded-xl border border-line bg-sunken p-2.5">
      <legend className="sr-only">Difference {number} of {of}</legend>
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="text-sm font-medium">Difference {number} of {of}</span>
        <span className="ms-auto flex gap-3">
          {PICKS.map((it) => (
            <label key={it.value} className="flex min-h-8 items-center gap-1.5">
              <input type="radio" name={name} checked={pick === it.value} onChange={() => onPick(it.value)} className="size-4 accent-accent" />
              {it.label}
            </label>
          ))}
        </span>
      </div>
      <div className="flex flex-col gap-2 sm:flex-row">
        <Side title="Mine, not saved yet" pieces={sides.mine} tone="added" chosen={pick !== "theirs"} />
        <Side title="Theirs, in the file now" pieces={sides.theirs} tone="removed" chosen={pick !== "mine"} />
      </div>
    </fieldset>
  );
}

/** Both sides of a conflict. What is saved is what was chosen here, and only on top of what is shown here. */
export default function Conflict({ it, onClose }: { it: OpenFile; onClose: () => void }) {
  const current = it.conflict?.current ?? null;
  const list = useMemo(() => parts(it.text, current?.text ?? ""), [it.text, current?.text]);
  const [picks, setPicks] = useState<Pick[]>([]);
  const total = differences(list);
  const all = (pick: Pick) => setPicks(Array.from({ length: total }, () => pick));
  const own = it.standing === "dirty";
  let at = -1;
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      width="full"
      title={own ? `What you changed in ${it.path}` : `${it.path} was changed elsewhere`}
      description={
        current
          ? `${count(total, "difference")}. Choose for each what shall stand in the file. Until you save, both stay as they are.`
          : "The file is not there any more. You can save your text as a new file."
      }
      footer={
        <>
          <Button look="quiet" onClick={onClose}>Decide later</Button>
          <Button
            look="primary"
            busy={it.saving}
            onClick={() =>
              void it.saveOver(merged(list, picks), current?.sha256 ?? null).then((saved) => saved && onClose())
            }
          >
            Save what I chose
          </Button>
        </>
      }
    >
      <div className="mb-3 flex flex-wrap gap-2">
        <Button size="small" onClick={() => all("mine")}>Mine everywhere</Button>
        <Button size="small" onClick={() => all("theirs")}>Theirs everywhere</Button>
      </div>
      {list.map((part, index) => {
        if (part.same) return <Same key={index} text={part.text} />;
        at += 1;
        const number = at;
        return (
          <Difference
            key={index}
            number={number + 1}
            of={total}
            mine={part.mine}
            theirs={part.theirs}
            pick={picks[number] ?? "mine"}
            onPick={(pick) => setPicks((was) => Array.from({ length: total }, (_, i) => (i === number ? pick : (was[i] ?? "mine"))))}
          />
        );
      })}
    </Dialog>
  );
}
