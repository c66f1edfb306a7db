import { Link } from "@tanstack/react-router";
import { ChevronDown, Plus, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { newKey } from "@/api/client";
import { count, series } from "@/lib/words";
import { Badge, Button, cx, EmptyState, Field, IconButton, Select, TextArea, TextInput, toast } from "@/ui";
import { LEVELS, newClass, sound, wrongClass, YEARS, type ClassAnswers, type Need } from "./answers";
import { LinesField, NameWarning } from "./lines-field";
import type { StepProps } from "./steps";
import { NEEDS } from "./suggestions";

function NeedForm({ need, index, onChange, onRemove }: { need: Need; index: number; onChange: (need: Need) => void; onRemove: () => void }) {
  const part = (key: keyof Need, label: string, placeholder: string) => (
    <Field label={label}>
      {(ids) => <TextArea {...ids} rows={1} className="!min-h-9" value={need[key]} placeholder={placeholder} onChange={(event) => onChange({ ...need, [key]: event.target.value.replace(/\n/g, " ") })} />}
    </Field>
  );
  return (
    <fieldset className="rounded-lg border border-line bg-panel px-3 py-2.5">
      <legend className="sr-only">Need {index + 1}</legend>
      <div className="grid items-start gap-2.5 md:grid-cols-[1fr_1fr_1.4fr_auto]">
        {part("group", "Who", "two pupils with …")}
        {part("need", "What is hard", "reading long instructions")}
        {part("support", "What helps", "keywords with pictures first")}
        <IconButton label={`Take away need ${index + 1}`} className="md:mt-7" onClick={onRemove}>
          <Trash2 className="size-4" aria-hidden />
        </IconButton>
      </div>
      <NameWarning text={`${need.group}\n${need.need}\n${need.support}`} />
    </fieldset>
  );
}

function Needs({ it, error, onChange }: { it: ClassAnswers; error: string | undefined; onChange: (needs: Need[]) => void }) {
  return (
    <div role="group" aria-label="Needs in this class">
      <p className="font-medium">Needs</p>
      <p className="mb-2 text-sm text-soft">By group, never by name: “one dyslexic pupil”, not who it is. Lessons are planned with these from the start.</p>
      <div className="flex flex-col gap-2">
        {it.needs.map((need, index) => (
          <NeedForm
            key={index}
            need={need}
            index={index}
            onChange={(next) => onChange(it.needs.map((other, at) => (at === index ? next : other)))}
            onRemove={() => onChange(it.needs.filter((_, at) => at !== index))}
          />
        ))}
      </div>
      {error ? <p role="alert" className="mt-1 text-sm text-bad">{error}</p> : null}
      <div className="mt-2 flex flex-wrap gap-1.5">
        {NEEDS.filter(({ need }) => !it.needs.some((other) => other.group === need.group)).map(({ label, need }) => (
          <button
            key={label}
            type="button"
            onClick={() => onChange([...it.needs, need])}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-dashed border-edge/60 px-3 text-sm text-soft hover:border-accent hover:text-accent"
          >
            <Plus className="size-3.5" aria-hidden />
            {label}
          </button>
        ))}
        <Button size="small" look="quiet" icon={<Plus className="size-4" aria-hidden />} onClick={() => onChange([...it.needs, { group: "", need: "", support: "" }])}>Another need</Button>
      </div>
    </div>
  );
}

function ClassForm({ it, others, strict, onChange }: { it: ClassAnswers; others: ClassAnswers[]; strict: boolean; onChange: (it: ClassAnswers) => void }) {
  const put = (more: Partial<ClassAnswers>) => onChange({ ...it, ...more });
  const wrong = wrongClass(it, others);
  // A form that was not touched yet is not told off.
  const shown = strict || it.id !== "" ? wrong : {};
  return (
    <div className="flex flex-col gap-5 px-4 pb-5 pt-1">
      <div className="grid gap-3 sm:grid-cols-[6rem_6rem_1fr] lg:grid-cols-[6rem_5rem_7rem_5rem_6rem_1fr]">
        <Field label="Class" error={shown.id}>{(ids) => <TextInput {...ids} value={it.id} placeholder="3B" maxLength={32} autoFocus={it.id === ""} onChange={(event) => put({ id: event.target.value })} />}</Field>
        <Field label="Year">
          {(ids) => (
            <Select {...ids} value={it.year} onChange={(event) => put({ year: event.target.value })}>
              <option value="">–</option>
              {YEARS.map((year) => <option key={year}>{year}</option>)}
            </Select>
          )}
        </Field>
        <Field label="Level" error={shown.level}>
          {(ids) => (
            <Select {...ids} value={it.level} onChange={(event) => put({ level: event.target.value })}>
              {LEVELS.map((level) => <option key={level}>{level}</option>)}
            </Select>
          )}
        </Field>
        <Field label="Pupils" error={shown.pupils}>{(ids) => <TextInput {...ids} inputMode="numeric" value={it.pupils} onChange={(event) => put({ pupils: event.target.value })} />}</Field>
        <Field label="Minutes" error={shown.minutes}>{(ids) => <TextInput {...ids} inputMode="numeric" value={it.minutes} onChange={(event) => put({ minutes: event.target.value })} />}</Field>
        <Field label="Subjects">{(ids) => <TextInput {...ids} value={it.subjects} placeholder="computing, maths" onChange={(event) => put({ subjects: event.target.value })} />}</Field>
      </div>
      <Needs it={it} error={shown.needs} onChange={(needs) => put({ needs })} />
      <LinesField label="What they know already" value={it.knows} onChange={(knows) => put({ knows })} placeholder="Such as: loops in Scratch; most can predict a short script" />
      <LinesField label="What works with them" value={it.works} onChange={(works) => put({ works })} placeholder="Such as: a drawing before code; starters of five minutes" />
      <LinesField label="What does not" value={it.not} onChange={(not) => put({ not })} placeholder="Such as: more than three written instructions at a time" />
      <div>
        <Field label="The room">{(ids) => <TextArea {...ids} value={it.room} placeholder="Such as: places in rows, laptops from the trolley, a quiet table by the window" onChange={(event) => put({ room: event.target.value })} />}</Field>
        <NameWarning text={it.room} />
      </div>
    </div>
  );
}

function gist(it: ClassAnswers): string {
  return [it.subjects, it.year, `${it.level} level`, it.minutes ? `${it.minutes} minutes` : "", it.needs.length > 0 ? count(it.needs.length, "need") : ""].filter(Boolean).join(" · ");
}

export function ClassesStep({ answers, change, existing, strict }: StepProps & { existing: string[]; strict: boolean }) {
  const id = useId();
  const [open, setOpen] = useState<string | null>(answers.classes.length === 1 ? (answers.classes[0]?.key ?? null) : null);
  const put = (classes: ClassAnswers[]) => change((was) => ({ ...was, classes }));
  const add = () => {
    const made = newClass(newKey());
    put([...answers.classes, made]);
    setOpen(made.key);
  };
  const remove = (it: ClassAnswers) => {
    const before = answers.classes;
    put(before.filter((other) => other.key !== it.key));
    toast(`${it.id || "The class"} was taken away.`, { action: { label: "Undo", run: () => put(before) } });
  };
  return (
    <div className="flex flex-col gap-3">
      {existing.length > 0 ? (
        <p className="rounded-lg bg-sunken px-4 py-2.5 text-soft">
          {series(existing)} {existing.length === 1 ? "is" : "are"} there already; change {existing.length === 1 ? "it" : "them"} under <Link to="/files" className="text-accent underline underline-offset-3">Files</Link>.
        </p>
      ) : null}
      {answers.classes.length === 0 && existing.length === 0 ? (
        <EmptyState title="Which classes do you plan for?">Begin with one. The others can come another day.</EmptyState>
      ) : null}
      {answers.classes.map((it) => {
        const whole = sound(it, answers.classes);
        const shown = open === it.key;
        return (
          <section key={it.key} aria-label={it.id ? `Class ${it.id}` : "A new class"} className="rounded-xl border border-line bg-raised">
            <div className="flex items-center gap-1 pe-2">
              <button type="button" aria-expanded={shown} aria-controls={`${id}-${it.key}`} onClick={() => setOpen(shown ? null : it.key)} className="flex min-h-12 min-w-0 flex-1 items-center gap-2.5 px-4 text-start">
                <ChevronDown className={cx("size-4 shrink-0 text-soft transition-transform", !shown && "-rotate-90")} aria-hidden />
                <span className="font-medium">{it.id || "A new class"}</span>
                <span className="min-w-0 flex-1 truncate text-sm text-soft">{it.id ? gist(it) : ""}</span>
                {strict && !whole ? <Badge tone="bad">something is missing</Badge> : null}
              </button>
              <IconButton label={`Take away ${it.id || "this class"}`} size="small" onClick={() => remove(it)}>
                <Trash2 className="size-4" aria-hidden />
              </IconButton>
            </div>
            <div id={`${id}-${it.key}`}>
              {shown ? <ClassForm it={it} others={answers.classes} strict={strict} onChange={(next) => put(answers.classes.map((other) => (other.key === it.key ? next : other)))} /> : null}
            </div>
          </section>
        );
      })}
      <div>
        <Button icon={<Plus className="size-4" aria-hidden />} onClick={add}>{answers.classes.length + existing.length === 0 ? "Add a class" : "Add another class"}</Button>
      </div>
    </div>
  );
}
