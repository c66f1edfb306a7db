import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Check, FileText } from "lucide-react";
import { count } from "@/lib/words";
import { Field, TextInput } from "@/ui";
import type { Answers } from "./answers";
import { LinesField, NameWarning } from "./lines-field";
import { AVOIDS, LIKES, line, PRINCIPLES } from "./suggestions";

export type StepProps = { answers: Answers; change: (change: (was: Answers) => Answers) => void };

const LINK = "text-accent underline underline-offset-3";

/** Where a file is there already: whether it is written anew, or left as it is. */
function Existing({ path, what, write, onWrite, children }: { path: string | null; what: string; write: boolean; onWrite: (write: boolean) => void; children: ReactNode }) {
  if (path === null) return <>{children}</>;
  return (
    <>
      <fieldset className="mb-5 rounded-lg border border-line bg-sunken px-4 py-3">
        <legend className="sr-only">{what}</legend>
        <p className="mb-2 flex items-center gap-2">
          <FileText className="size-4 shrink-0 text-soft" aria-hidden />
          <span>
            There is a file {what} already: <Link to="/files" search={{ file: path }} className={LINK}>{path}</Link>
          </span>
        </p>
        <div className="flex flex-wrap gap-x-6 gap-y-1">
          <label className="flex min-h-8 items-center gap-2">
            <input type="radio" name={path} checked={!write} onChange={() => onWrite(false)} className="size-4 accent-accent" />
            Leave it as it is
          </label>
          <label className="flex min-h-8 items-center gap-2">
            <input type="radio" name={path} checked={write} onChange={() => onWrite(true)} className="size-4 accent-accent" />
            Write it anew
          </label>
        </div>
      </fieldset>
      {write ? children : null}
    </>
  );
}

export function YouStep({ answers, change, existing }: StepProps & { existing: string | null }) {
  const it = answers.teacher;
  const put = (more: Partial<Answers["teacher"]>) => change((was) => ({ ...was, teacher: { ...was.teacher, ...more } }));
  const text = (key: "subjects" | "room" | "printing", label: string, hint: string) => (
    <div>
      <Field label={label} hint={hint}>{(ids) => <TextInput {...ids} value={it[key]} onChange={(event) => put({ [key]: event.target.value })} />}</Field>
      <NameWarning text={it[key]} />
    </div>
  );
  return (
    <Existing path={existing} what="about you" write={it.write} onWrite={(write) => put({ write })}>
      <div className="flex flex-col gap-5">
        {text("subjects", "What do you teach, and to whom?", "Such as: computing science in a state secondary, with some maths in S1 and S2. Without your name or your school’s.")}
        {text("room", "Room and devices", "Such as: laptops in a trolley, shared; a whiteboard and a visualiser.")}
        {text("printing", "Printing", "Such as: black and white, two pages a pupil at most.")}
        <LinesField label="What you like in a lesson" value={it.likes} onChange={(likes) => put({ likes })} suggestions={LIKES} />
        <LinesField label="What you avoid" value={it.avoids} onChange={(avoids) => put({ avoids })} suggestions={AVOIDS} />
        <LinesField label="Languages and tools you teach with" value={it.tools} onChange={(tools) => put({ tools })} placeholder="Such as: Scratch in S1, Python from S3" />
      </div>
    </Existing>
  );
}

export function PedagogyStep({ answers, change, existing }: StepProps & { existing: string | null }) {
  const it = answers.pedagogy;
  const put = (more: Partial<Answers["pedagogy"]>) => change((was) => ({ ...was, pedagogy: { ...was.pedagogy, ...more } }));
  const flip = (text: string) => put({ chosen: it.chosen.includes(text) ? it.chosen.filter((other) => other !== text) : [...it.chosen, text] });
  return (
    <Existing path={existing} what="about how you teach" write={it.write} onWrite={(write) => put({ write })}>
      <div className="flex flex-col gap-5">
        <fieldset>
          <legend className="mb-1 font-medium">Which of these are yours?</legend>
          <p className="mb-2 text-sm text-soft">Choose few: what is everywhere helps nowhere.</p>
          <div className="grid gap-2 md:grid-cols-2">
            {PRINCIPLES.map((principle) => {
              const text = line(principle);
              return (
                <label key={principle.title} className="flex items-start gap-3 rounded-lg border border-line px-3 py-2 hover:bg-sunken has-[:checked]:border-accent has-[:checked]:bg-accent-wash">
                  <input type="checkbox" checked={it.chosen.includes(text)} onChange={() => flip(text)} className="mt-1 size-4 accent-accent" />
                  <span>
                    <span className="block font-medium">{principle.title}</span>
                    <span className="block text-sm text-soft">{principle.text}</span>
                  </span>
                </label>
              );
            })}
          </div>
        </fieldset>
        <LinesField label="In your own words" value={it.own} onChange={(own) => put({ own })} placeholder="Whose work do you lean on? What do you always do?" />
        <LinesField label="Where do these pull against each other?" hint="You may leave this out." value={it.tensions} onChange={(tensions) => put({ tensions })} placeholder="Such as: talk before writing takes time, so I cut the number of questions" />
      </div>
    </Existing>
  );
}

export type Curriculum = { name: string; title: string; subject: string; outcomes: number };

export function CurriculumStep({ answers, change, curricula, present }: StepProps & { curricula: Curriculum[]; present: ReadonlySet<string> }) {
  const flip = (name: string) =>
    change((was) => ({ ...was, curriculum: was.curriculum.includes(name) ? was.curriculum.filter((it) => it !== name) : [...was.curriculum, name] }));
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Which outcomes shall lessons point to?</legend>
      <p className="mb-3 text-soft">
        These files describe the Curriculum for Excellence in our own words, each outcome marked as checked against a published copy or not. They lie
        in your workspace afterwards, and you can change them.
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        {curricula.map((it) => {
          const there = present.has(`curriculum/${it.name}`);
          return (
            <label key={it.name} className="flex items-start gap-3 rounded-lg border border-line px-3 py-2.5 has-[:checked]:border-accent has-[:checked]:bg-accent-wash has-[:disabled]:border-line has-[:disabled]:bg-sunken">
              {there ? <Check className="mt-0.5 size-4.5 text-good" aria-hidden /> : null}
              <input type="checkbox" className={there ? "sr-only" : "mt-1 size-4 accent-accent"} checked={there || answers.curriculum.includes(it.name)} disabled={there} onChange={() => flip(it.name)} />
              <span>
                <span className="block font-medium">{it.title}</span>
                <span className="block text-sm text-soft">{there ? "in your workspace already" : count(it.outcomes, "outcome")}</span>
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
