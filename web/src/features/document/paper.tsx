import { memo, useMemo, useState, type ReactNode } from "react";
import { Badge, Button } from "@/ui";
import { count } from "@/lib/words";
import { Differences } from "./differences";
import { Plain } from "./markdown/plain";
import { Blocks } from "./markdown/view";
import { useMarkdown } from "./markdown/reader";
import { pieces, plainHeading, type Piece } from "./outline";

/** Most characters of a lesson that are shown at once; a lesson has some ten thousand. */
const SHOWN_MAX = 400_000;
/** Most sections that are shown as such; a lesson has some ten. What comes behind them is shown as it is written. */
const SECTIONS_MAX = 80;

type Tools = (piece: Piece) => ReactNode;
type SectionProps = { piece: Piece; audience: "teacher" | "pupil"; before: string | null; marked: boolean; tools: ReactNode };

const Section = memo(function Section({ piece, audience, before, marked, tools }: SectionProps) {
  const blocks = useMarkdown(piece.text);
  const [first, ...rest] = blocks ?? [];
  const headed = first?.t === "heading" && first.level === 2;
  const changed = before !== null;
  return (
    <section data-audience={audience} data-changed={changed || undefined} id={piece.id ? `section-${piece.id.replaceAll(/\W+/g, "-")}` : undefined} className="prose scroll-mt-4">
      {blocks === null ? <div aria-hidden className="breathe my-6 h-24 rounded-lg bg-sunken" /> : null}
      {headed && first ? (
        <div className="section-head flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <Blocks blocks={[first]} />
          {changed ? <Badge tone="accent">changed</Badge> : null}
          <span data-print="never" className="ms-auto font-sans">
            {tools}
          </span>
        </div>
      ) : null}
      {changed && marked ? <Differences before={body(before)} after={body(piece.text)} /> : <Blocks blocks={headed ? rest : (blocks ?? [])} />}
    </section>
  );
});

/** A section without its heading. */
function body(text: string): string {
  return text.replace(/^## .*\n?/, "");
}

type Props = {
  text: string;
  /** Which sections pupils see; matched by their headings. */
  pupil: ReadonlySet<string>;
  /** Only what pupils see. */
  pupilOnly: boolean;
  /** The draft before, to say which sections changed. */
  before: string | null;
  /** Whether the changes are marked in the text. */
  marked: boolean;
  tools?: Tools;
  busy?: boolean;
};

/** A lesson as a page of paper, section by section: what did not change is not drawn again. */
export function Paper({ text, pupil, pupilOnly, before, marked, tools, busy }: Props) {
  const [all, setAll] = useState(false);
  const most = all ? SHOWN_MAX * 4 : SHOWN_MAX;
  const shown = text.length > most ? text.slice(0, most) : text;
  const list = useMemo(() => {
    const audience = (piece: Piece) => (pupil.has(plainHeading(piece.title)) || piece.id === "" ? ("pupil" as const) : ("teacher" as const));
    return pieces(shown).map((piece) => ({ piece, audience: audience(piece) })).filter((it) => !pupilOnly || it.audience === "pupil");
  }, [shown, pupil, pupilOnly]);
  const behind = useMemo(() => list.slice(SECTIONS_MAX).map((it) => it.piece.text).join(""), [list]);
  const earlier = useMemo(() => (before === null ? null : new Map(pieces(before.slice(0, most)).map((it) => [it.id, it.text]))), [before, most]);
  const changed = (piece: Piece) => {
    const was = earlier?.get(piece.id);
    return was === undefined || was.trim() === piece.text.trim() ? null : was;
  };
  return (
    <article aria-label="The lesson" aria-busy={busy || undefined} className="paper mx-auto w-full max-w-[46rem] px-6 py-8 @max-md:px-4" data-pupil-only={pupilOnly || undefined}>
      {list.slice(0, SECTIONS_MAX).map(({ piece, audience }) => (
        <Section key={piece.id} piece={piece} audience={audience} before={changed(piece)} marked={marked} tools={piece.id ? tools?.(piece) : null} />
      ))}
      {behind === "" ? null : (
        <div className="prose">
          <p className="mt-6 rounded-lg bg-ask-wash px-4 py-3 font-sans text-ask">
            This text has more than {SECTIONS_MAX} sections. Those behind them are shown as they are written.
          </p>
          <Plain text={behind} />
        </div>
      )}
      {text.length > shown.length ? (
        <p className="mt-6 rounded-lg bg-ask-wash px-4 py-3 font-sans text-ask">
          This text is too long to show whole: {count(Math.ceil((text.length - shown.length) / 1024), "kB", "kB")} are left out. Export it to see all.{" "}
          {all ? null : (
            <Button size="small" onClick={() => setAll(true)}>
              Show more
            </Button>
          )}
        </p>
      ) : null}
    </article>
  );
}
