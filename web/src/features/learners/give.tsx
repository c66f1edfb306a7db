// Giving links: one for each learner, each shown once.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Copy, Printer } from "lucide-react";
import { useState, type FormEvent } from "react";
import { start } from "@/api/queries";
import type { FlowLine } from "@/api/types";
import { moment } from "@/lib/words";
import { Button, Dialog, ErrorNote, Field, Select, TextInput, toast } from "@/ui";
import { linkOf } from "../learn/code";
import { give, type GivenCode } from "./queries";
import { label } from "./reading";

const COUNT_MAX = 40;
const DAYS = 30;
const DAYS_MAX = 365;

type Props = { of: FlowLine; onClose: () => void };

export function GiveDialog({ of, onClose }: Props) {
  const client = useQueryClient();
  const { data: begin } = useQuery(start);
  const [topic, setTopic] = useState("");
  const [subject, setSubject] = useState("");
  const [many, setMany] = useState("1");
  const [days, setDays] = useState(String(DAYS));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [given, setGiven] = useState<GivenCode[] | null>(null);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      setGiven(await give(client, of, { count: Number(many), days: Number(days), subject }));
    } catch (wrong) {
      setError(wrong);
    } finally {
      setBusy(false);
    }
  };
  if (given) return <Links given={given} topic={topic} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title="Give links" description={of.description}>
      <form onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
        {error ? <ErrorNote error={error} /> : null}
        <Field label="Topic" hint="As you would say it. Leave it empty and each learner is asked.">
          {(ids) => <TextInput {...ids} value={topic} maxLength={120} onChange={(event) => setTopic(event.target.value)} />}
        </Field>
        <Field label="Class">
          {(ids) => (
            <Select {...ids} value={subject} onChange={(event) => setSubject(event.target.value)}>
              <option value="">No class</option>
              {(begin?.classes ?? []).map((it) => (
                <option key={it.id} value={it.id}>
                  {it.id}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label="How many" hint="One for each learner.">
            {(ids) => <TextInput {...ids} type="number" required min={1} max={COUNT_MAX} value={many} onChange={(event) => setMany(event.target.value)} />}
          </Field>
          <Field label="Days" hint="How long they open.">
            {(ids) => <TextInput {...ids} type="number" required min={1} max={DAYS_MAX} value={days} onChange={(event) => setDays(event.target.value)} />}
          </Field>
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Make links
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Links({ given, topic, onClose }: { given: GivenCode[]; topic: string; onClose: () => void }) {
  // In the order of the list of sessions, where each has the same label.
  const links = [...given].sort((a, b) => (a.id < b.id ? -1 : 1)).map((it) => ({ ...it, name: label(it.id, it.subject), link: linkOf(location.origin, { code: it.code, topic }) }));
  const copy = () =>
    navigator.clipboard.writeText(links.map((it) => `${it.name}\t${it.link}`).join("\n")).then(
      () => toast(links.length === 1 ? "The link was copied." : "The links were copied."),
      () => toast("This browser does not let a page copy. Mark the links and copy them.", { tone: "bad" }),
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="wide"
      title={links.length === 1 ? "A link" : `${links.length} links`}
      description="They are shown now and never again. Each opens one session, for one learner; write down who has which, not here."
      footer={
        <>
          <Button icon={<Printer className="size-4" aria-hidden />} onClick={() => print()}>
            Print
          </Button>
          <Button icon={<Copy className="size-4" aria-hidden />} onClick={() => void copy()}>
            Copy all
          </Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <ol className="flex flex-col gap-2" aria-label="Links" data-print="slips">
        {links.map((it) => (
          <li key={it.id} className="rounded-lg border border-line px-3 py-2">
            <p className="font-medium">{it.name}</p>
            <p className="font-mono text-sm break-all select-all">{it.link}</p>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-sm text-soft">They open until {moment(links[0]?.expires_ms ?? 0)}.</p>
    </Dialog>
  );
}
