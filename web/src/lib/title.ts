import { useEffect } from "react";

const NAME = "teacher-assist";
let page: string | null = null;
let waiting = 0;

function show(): void {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${page ? `${page} · ` : ""}${NAME}`;
}

/** How many questions wait: in front of the tab's title, so that it is seen from another tab. */
export function titleWaiting(count: number): void {
  waiting = count;
  show();
}

/** Names the page in the tab's title while it is shown. */
export function usePageTitle(title: string | null | undefined): void {
  useEffect(() => {
    page = title ? title.slice(0, 80) : null;
    show();
    return () => {
      page = null;
      show();
    };
  }, [title]);
}
