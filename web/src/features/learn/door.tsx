// Before a session: the code, where it did not come with a link, and what is to be worked on, where nobody has said.
import { KeyRound } from "lucide-react";
import { useState, type FormEvent, type ReactNode } from "react";
import { Button } from "@/ui/button";
import { ErrorNote } from "@/ui/feedback";
import { Field, TextInput } from "@/ui/field";
import { readCode } from "./code";

/** The frame of everything that stands before a session. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" className="flex min-h-dvh items-center justify-center px-4 py-10">
      <div className="w-full max-w-md rounded-2xl border border-line bg-panel p-6 shadow-float sm:p-8">
        <img src="/assets/icon.svg" alt="" className="mb-4 size-9" />
        <h1 className="mb-4 text-xl">{title}</h1>
        {children}
      </div>
    </main>
  );
}

type CodeProps = { onCode: (code: string) => void; error: unknown; /** What was typed before. */ before: string };

export function CodeDoor({ onCode, error, before }: CodeProps) {
  const [typed, setTyped] = useState(before);
  const [wrong, setWrong] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const code = readCode(typed);
    setWrong(!code);
    if (code) onCode(code);
  };
  return (
    <Frame title="What is your code?">
      {error ? <ErrorNote error={error} className="mb-4" /> : null}
      <form onSubmit={send} className="flex flex-col gap-4">
        <Field label="Code" hint="Twenty letters and digits. Your teacher has given it to you." error={wrong ? "That is not a whole code. It has twenty letters and digits." : null}>
          {(ids) => (
            <TextInput
              {...ids}
              autoFocus
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              placeholder="7KQ2M-9XWPD-HT4ZB-E6RVN"
              className="min-h-12 font-mono text-base tracking-wide"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" className="min-h-12 text-base" icon={<KeyRound className="size-4" aria-hidden />}>
          Start
        </Button>
        <p className="text-sm text-soft">You need no account, and nobody asks for your name. Please do not write it here.</p>
      </form>
    </Frame>
  );
}

export function TopicDoor({ onTopic, busy, error }: { onTopic: (topic: string) => void; busy: boolean; error: unknown }) {
  const [topic, setTopic] = useState("");
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (topic.trim()) onTopic(topic.trim());
  };
  return (
    <Frame title="What do you want to work on?">
      {error ? <ErrorNote error={error} className="mb-4" /> : null}
      <form onSubmit={send} className="flex flex-col gap-4">
        <Field label="Topic" hint="Such as fractions. If you are not sure, ask your teacher.">
          {(ids) => <TextInput {...ids} autoFocus maxLength={120} className="min-h-12 text-base" value={topic} onChange={(event) => setTopic(event.target.value)} />}
        </Field>
        <Button type="submit" look="primary" busy={busy} disabled={!topic.trim()} className="min-h-12 text-base">
          Begin
        </Button>
      </form>
    </Frame>
  );
}
