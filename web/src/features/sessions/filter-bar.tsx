import { useEffect, useRef, useState } from "react";
import { Search, X } from "lucide-react";
import { Button, IconButton, INPUT, Select, TextInput } from "@/ui";
import type { Filters } from "./list";

/** How long typing pauses before it is searched for. */
const PAUSE_MS = 250;

type Props = { value: Filters; classes: string[]; onChange: (filters: Filters) => void };

export function FilterBar({ value, classes, onChange }: Props) {
  const [words, setWords] = useState(value.q ?? "");
  const sent = useRef(value.q ?? "");
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  useEffect(() => {
    if ((value.q ?? "") === sent.current) return;
    sent.current = value.q ?? "";
    setWords(sent.current);
  }, [value.q]);
  useEffect(() => {
    if (words === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = words;
      const { q: _, ...rest } = latest.current.value;
      latest.current.onChange(words.trim() === "" ? rest : { ...rest, q: words });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const put = (key: "class" | "from" | "to", text: string) => {
    const { [key]: _, ...rest } = value;
    onChange(text === "" ? rest : { ...rest, [key]: text });
  };
  const some = Object.keys(value).length > 0;
  return (
    <form role="search" aria-label="Find lessons" onSubmit={(event) => event.preventDefault()} className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <label className="relative min-w-56 flex-[2]">
        <span className="sr-only">Words in lessons, requests and your decisions</span>
        <Search className="pointer-events-none absolute left-3 top-1/2 size-4 -translate-y-1/2 text-soft" aria-hidden />
        <input type="search" value={words} placeholder="Words in lessons, requests, decisions" onChange={(event) => setWords(event.target.value)} className={`${INPUT} min-h-9 ps-9`} />
      </label>
      <label className="flex min-w-28 items-center gap-2">
        <span className="text-sm text-soft">Class</span>
        <Select value={value.class ?? ""} onChange={(event) => put("class", event.target.value)}>
          <option value="">All</option>
          {classes.map((it) => (
            <option key={it} value={it}>{it}</option>
          ))}
        </Select>
      </label>
      <div className="flex flex-wrap items-center gap-2">
        <label className="flex items-center gap-2">
          <span className="text-sm text-soft">From</span>
          <TextInput type="date" value={value.from ?? ""} max={value.to} onChange={(event) => put("from", event.target.value)} className="!w-36" />
        </label>
        <label className="flex items-center gap-2">
          <span className="text-sm text-soft">to</span>
          <TextInput type="date" value={value.to ?? ""} min={value.from} onChange={(event) => put("to", event.target.value)} className="!w-36" />
        </label>
      </div>
      {some ? (
        <>
          <Button look="quiet" className="max-sm:hidden" icon={<X className="size-4" aria-hidden />} onClick={() => onChange({})}>Clear</Button>
          <IconButton label="Clear all filters" className="sm:hidden" onClick={() => onChange({})}>
            <X className="size-4" aria-hidden />
          </IconButton>
        </>
      ) : null}
    </form>
  );
}
