import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useState } from "react";
import { me as meQuery, waiting as waitingQuery } from "@/api/queries";
import type { Waiting } from "@/api/types";
import { announce } from "@/lib/announce";
import { titleWaiting } from "@/lib/title";
import { count, when } from "@/lib/words";
import { Button } from "@/ui";

/** How far a question is: "3 of 10 decided", or nothing where it has one answer. */
export function progressOf({ question, decided }: Waiting): string | null {
  if (question.kind !== "items" || decided.length === 0) return null;
  return `${decided.length} of ${question.items.length} decided`;
}

export function WaitingList({ list, onPick }: { list: Waiting[]; onPick?: () => void }) {
  return (
    <ul className="flex flex-col">
      {list.map((it) => (
        <li key={it.hash + it.run}>
          <Link
            to="/plan/$session"
            params={{ session: it.session }}
            search={{ focus: "question" }}
            onClick={onPick}
            className="block rounded-lg px-3 py-2.5 hover:bg-accent-wash"
          >
            <span className="block font-medium">{it.question.title}</span>
            <span className="block text-sm text-soft">
              {[it.title, it.subject && !it.title.includes(it.subject.id) ? it.subject.id : null, when(it.asked_ms), progressOf(it)].filter(Boolean).join(" · ")}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The number of questions that wait, on every screen and in the tab's title, with the list behind it. */
export function WaitingBadge() {
  const { data: me } = useQuery(meQuery);
  const { data: list = [] } = useQuery({ ...waitingQuery, enabled: me?.roles.includes("teacher") ?? false });
  const [open, setOpen] = useState(false);
  useEffect(() => {
    titleWaiting(list.length);
  }, [list.length]);
  useEffect(() => {
    if (list.length > 0) announce(`${count(list.length, "question")} waiting for you`);
  }, [list.length]);
  if (list.length === 0) return null;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button size="small" className="!border-ask-line !bg-ask-wash !text-ask" icon={<Bell className="size-4" aria-hidden />}>
          {count(list.length, "question")} waiting
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Questions waiting for you"
          className="fade-in z-40 max-h-[70vh] w-[min(26rem,calc(100vw-1rem))] overflow-auto rounded-xl border border-line bg-raised p-1.5 shadow-float"
        >
          <h2 className="px-3 pb-1 pt-2 text-sm font-medium text-soft">Waiting for you</h2>
          <WaitingList list={list} onPick={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
