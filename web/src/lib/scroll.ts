/** The nearest thing around an element that scrolls up and down. */
function scroller(element: Element): Element | null {
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

/** Brings an element into view within what scrolls around it, and moves nothing else on the page. */
export function bringIntoView(element: Element, where: "start" | "center" | "nearest", gap = 12): void {
  const frame = scroller(element);
  if (!frame) return;
  const own = element.getBoundingClientRect();
  const outer = frame.getBoundingClientRect();
  const top = own.top - outer.top;
  if (where === "nearest" && top >= 0 && own.bottom <= outer.bottom) return;
  const by =
    where === "center" ? top - (outer.height - own.height) / 2
    : where === "nearest" && top > 0 ? own.bottom - outer.bottom + gap
    : top - gap;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  frame.scrollTo({ top: frame.scrollTop + by, behavior: calm || Math.abs(by) > 4_000 ? "instant" : "smooth" });
}
