// A drawing beside a message: the picture, where the page knows its kind, with what it shows in words for those who do not see it.
import { lazy, Suspense } from "react";
import type { Drawing } from "./kinds";

const Picture = lazy(() => import("./picture"));

export function Figure({ drawing }: { drawing: Drawing }) {
  const { tool, caption, alternative } = drawing;
  if (!tool) {
    return (
      <figure className="mt-3 rounded-lg bg-sunken px-3 py-2 text-soft">
        <p>{alternative}</p>
      </figure>
    );
  }
  return (
    <figure className="mt-3">
      <div role="img" aria-label={alternative} className="drawing flex justify-center rounded-xl bg-paper px-2 py-3">
        <Suspense fallback={<div className="breathe h-40 w-full rounded bg-sunken" />}>
          <Picture tool={tool} />
        </Suspense>
      </div>
      {caption ? (
        <figcaption className="mt-1.5 text-center text-sm text-soft" aria-hidden={caption === alternative || undefined}>
          {caption}
        </figcaption>
      ) : null}
    </figure>
  );
}
