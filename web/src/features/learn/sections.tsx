import { Check } from "lucide-react";
import { cx } from "@/ui/cx";
import { doneOf, type Place, type Progress } from "./progress";

const WORDS: Record<Place["state"], string> = { done: "done", here: "you are here", begun: "begun", ahead: "not begun" };

function Mark({ place, at }: { place: Place; at: number }) {
  const look = {
    done: "bg-good text-on-accent border-good",
    here: "bg-accent text-on-accent border-accent",
    begun: "border-accent text-accent",
    ahead: "border-edge text-soft",
  }[place.state];
  return (
    <span aria-hidden className={cx("flex size-7 shrink-0 items-center justify-center rounded-full border text-sm font-semibold", look)}>
      {place.state === "done" ? <Check className="size-4" /> : at + 1}
    </span>
  );
}

function Words({ place }: { place: Place }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block leading-snug font-medium">{place.title}</span>
      <span className="block text-sm text-soft">
        {WORDS[place.state]}
        {place.tried === null ? "" : ` · ${place.right ?? 0} of ${place.tried} right`}
      </span>
    </span>
  );
}

/** How far it is, as a bar and in words. */
export function ProgressBar({ progress }: { progress: Progress }) {
  const done = doneOf(progress.places);
  const all = progress.places.length;
  if (all === 0) return null;
  const words = `${done} of ${all} ${progress.noun.toLowerCase()}s done`;
  return (
    <div>
      <div role="progressbar" aria-label="Progress" aria-valuemin={0} aria-valuemax={all} aria-valuenow={done} aria-valuetext={words} className="flex gap-1">
        {progress.places.map((place) => (
          <span key={place.id} className={cx("h-2 flex-1 rounded-full", { done: "bg-good", here: "bg-accent", begun: "bg-accent/40", ahead: "bg-line" }[place.state])} />
        ))}
      </div>
      <p className="mt-1 text-sm text-soft">{words}</p>
    </div>
  );
}

type Props = { progress: Progress; onJump: ((words: string) => void) | null };

/** Every section with how it stands; those that one can go to are buttons. */
export function Sections({ progress, onJump }: Props) {
  return (
    <ol className="flex flex-col gap-1" aria-label={`${progress.noun}s`}>
      {progress.places.map((place, at) => {
        const { jump } = place;
        const here = place.state === "here";
        return (
          <li key={place.id} aria-current={here ? "step" : undefined}>
            {jump && !here && onJump ? (
              <button type="button" onClick={() => onJump(jump)} className="flex w-full items-center gap-3 rounded-lg px-2 py-2 text-start hover:bg-sunken">
                <Mark place={place} at={at} />
                <Words place={place} />
              </button>
            ) : (
              <div className={cx("flex items-center gap-3 rounded-lg px-2 py-2", here && "bg-accent-wash")}>
                <Mark place={place} at={at} />
                <Words place={place} />
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}
