import { useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { ClassProfile, Topic } from "@/api/types";
import { cx, INPUT } from "@/ui";
import { topicsFor } from "./request";

type Props = { id: string; value: string; topics: Topic[]; group: ClassProfile | null; onChange: (value: string) => void; onEnter: () => void };

/** A topic in one's own words, with the curriculum's outcomes offered below. */
export function TopicField({ id, value, topics, group, onChange, onEnter }: Props) {
  const list = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const found = useMemo(() => (open ? topicsFor(topics, group, value) : []), [group, open, topics, value]);
  const shown = open && found.length > 0;
  const pick = (topic: Topic) => {
    onChange(`${topic.code}, ${topic.title}`);
    setOpen(false);
    setAt(-1);
    field.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const chosen = found[at];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!open) setOpen(true);
      else setAt((now) => (event.key === "ArrowDown" ? Math.min(now + 1, found.length - 1) : Math.max(now - 1, -1)));
    } else if (event.key === "Enter") {
      if (shown && chosen) pick(chosen);
      else onEnter();
    } else if (event.key === "Escape" && shown) {
      setOpen(false);
      setAt(-1);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="relative">
      <input
        ref={field}
        id={id}
        role="combobox"
        autoComplete="off"
        aria-expanded={shown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown && at >= 0 ? `${list}-${at}` : undefined}
        className={cx(INPUT, "min-h-11 text-base")}
        placeholder="For example: iteration, percentages, the Clearances"
        value={value}
        maxLength={300}
        onChange={(event) => {
          onChange(event.target.value);
          setOpen(true);
          setAt(-1);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      <ul
        id={list}
        role="listbox"
        aria-label="From the curriculum"
        hidden={!shown}
        className="absolute inset-x-0 top-full z-30 mt-1 max-h-80 overflow-auto rounded-lg border border-line bg-raised p-1 shadow-float"
      >
        {found.map((topic, index) => (
          <li
            key={`${topic.path}-${topic.code}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            className={cx("flex cursor-default gap-3 rounded-md px-2.5 py-1.5", index === at ? "bg-accent-wash" : "hover:bg-sunken")}
            onPointerDown={(event) => {
              event.preventDefault();
              pick(topic);
            }}
          >
            <span className="w-28 shrink-0 font-mono text-sm leading-6 text-soft">{topic.code}</span>
            <span className="min-w-0">{topic.title}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
