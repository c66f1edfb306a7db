// What a teacher decides where the tutor waits for one.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Confirm, ErrorNote, Field, TextArea } from "@/ui";
import type { Standing } from "../learn/calls";
import { say, type Of } from "./queries";
import type { Alert } from "./reading";

const NOTE_CHARS_MAX = 1_000;

type Props = { of: Of; standing: Standing; alert: Alert | undefined; plan: boolean };

export function Decide({ of, standing, alert, plan }: Props) {
  const client = useQueryClient();
  const [note, setNote] = useState("");
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [ending, setEnding] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (text: string) => {
    setBusy(true);
    setError(null);
    try {
      await say(client, of, standing, text);
    } catch (wrong) {
      setError(wrong);
    } finally {
      setBusy(false);
    }
  };
  const withNote = (text: (note: string) => string) => () => {
    setMissing(note.trim() === "");
    // The tutor reads this word alone as the end of the session, which is asked for first.
    if (/^end$/i.test(note.trim())) setEnding(true);
    else if (note.trim() !== "") void send(text(note.trim()));
  };
  return (
    <section aria-labelledby="decide" className="rounded-xl border border-ask-line bg-ask-wash px-4 py-4">
      <h2 id="decide" className="text-base text-ask">
        The tutor waits for you
      </h2>
      {alert ? <p className="mt-1">{alert.says}</p> : null}
      <div className="mt-3">
        <Field label="A note for the tutor" hint="The tutor reads it before it goes on; the learner does not see it. No names, please." error={missing ? "Write what the tutor should know or do." : null}>
          {(ids) => <TextArea {...ids} rows={3} maxLength={NOTE_CHARS_MAX} value={note} onChange={(event) => setNote(event.target.value)} />}
        </Field>
      </div>
      {error ? <ErrorNote error={error} className="mt-3" /> : null}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="primary" busy={busy} onClick={withNote((it) => it)}>
          Go on with this note
        </Button>
        {plan ? (
          <Button aria-disabled={busy} onClick={busy ? undefined : withNote((it) => `skip: ${it}`)}>
            Leave this step out, for this reason
          </Button>
        ) : null}
        <Button look="danger" aria-disabled={busy} onClick={busy ? undefined : () => setEnding(true)}>
          End the session
        </Button>
      </div>
      <Confirm
        open={ending}
        onOpenChange={setEnding}
        title="End the session?"
        description="The learner is told that you have ended it. What was done is kept."
        action="End the session"
        danger
        onConfirm={() => void send("end")}
      />
    </section>
  );
}
