import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, Download, FlaskConical, Repeat } from "lucide-react";
import { useMemo, useState } from "react";
import { announce } from "@/lib/announce";
import { count } from "@/lib/words";
import { Button, cx, ErrorNote, Field, Select } from "@/ui";
import { components, keepText, replay, swap } from "./queries";
import { hookNumbers } from "./trace";
import type { CallSwap, Replayed, Said, Swapped, Trace } from "./types";
import { StackedBar, Verdict, Verdicts } from "./verdicts";
import { bytes, short } from "./words";

function useWork<T>() {
  const [state, setState] = useState<{ busy: boolean; error: unknown; value: T | null }>({ busy: false, error: null, value: null });
  const run = async (work: () => Promise<T>, said: (value: T) => string) => {
    setState((was) => ({ ...was, busy: true, error: null }));
    try {
      const value = await work();
      setState({ busy: false, error: null, value });
      announce(said(value));
    } catch (error) {
      setState({ busy: false, error, value: null });
    }
  };
  return { ...state, run };
}

function Outcome({ it }: { it: Replayed }) {
  const same = it.divergence === null;
  return (
    <div className={cx("rounded-lg border px-4 py-3", same ? "border-line bg-good-wash" : "border-bad-line bg-bad-wash")}>
      <p className="flex items-center gap-2 font-medium">
        {same ? <CircleCheck className="size-5 text-good" aria-hidden /> : <CircleX className="size-5 text-bad" aria-hidden />}
        {same ? "It came out the same" : `It went otherwise at record ${it.divergence?.seq} (${it.divergence?.event}): ${it.divergence?.what}`}
      </p>
      <p className="mt-1 text-sm text-soft">
        {count(it.events, "record")}, {count(it.calls, "call")} of hooks and tools made again.
        {it.output_sha256 ? <> Output <code className="break-all">{it.output_sha256}</code></> : null}
      </p>
      {it.divergence ? (
        <div className="mt-3 grid gap-3 md:grid-cols-2">
          {(["recorded", "now"] as const).map((side) => (
            <section key={side} aria-label={side === "recorded" ? "What the journal holds" : "What came now"}>
              <h3 className="mb-1 text-sm">{side === "recorded" ? "The journal" : "Now"}</h3>
              <pre tabIndex={0} className="max-h-72 overflow-auto whitespace-pre-wrap break-words rounded-md bg-raised p-3 text-xs">{JSON.stringify(it.divergence?.[side], null, 2)}</pre>
            </section>
          ))}
        </div>
      ) : null}
    </div>
  );
}

function Side({ said, findings, title }: { said: Said; findings: CallSwap["found_now_only"]; title: string }) {
  return (
    <div className="min-w-0">
      <p className="text-xs text-soft md:sr-only">{title}</p>
      <p>
        <Verdict name={said.verdict} /> <span className="text-sm text-soft">{said.findings > 0 ? count(said.findings, "finding") : ""}</span>
      </p>
      {said.code ? <code className="text-xs">{said.code}</code> : null}
      {said.reason ? <p className="mt-1 break-words text-sm">{said.reason}</p> : null}
      {findings.length > 0 ? (
        <ul className="mt-1 flex flex-col gap-1 text-sm">
          {findings.map((it, index) => (
            <li key={index} className="break-words rounded bg-mark/60 px-1.5 py-0.5">
              <code>{[it.class, ...(it.about ?? []).map((about) => about.value)].join(" ")}</code> {it.message}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

const differs = (call: CallSwap) => call.then.verdict !== call.now.verdict || call.then.reason !== call.now.reason || call.found_now_only.length + call.found_then_only.length > 0;

function Comparison({ it }: { it: Swapped }) {
  const [all, setAll] = useState(false);
  const calls = it.runs.flatMap((run) => run.calls);
  const shown = calls.filter((call) => all || differs(call));
  const most = Math.max(it.totals.calls, 1);
  return (
    <div className="flex flex-col gap-4">
      <p className="font-medium">
        {it.totals.verdicts_changed === 0 && it.totals.findings_changed === 0
          ? `${it.hook}: nothing would have been different in ${count(it.totals.calls, "call")}.`
          : `${it.hook}: ${count(it.totals.verdicts_changed, "verdict")} of ${it.totals.calls} would have been different, and ${count(it.totals.findings_changed, "call")} would have had other findings.`}
      </p>
      <table className="w-full max-w-2xl text-sm [&_td]:py-1 [&_th]:pe-3 [&_th]:text-start [&_th]:font-medium">
        <caption className="sr-only">Verdicts then and now</caption>
        <tbody>
          {([["Then", it.totals.verdicts_then, it.runs[0]?.sha256_then ?? ""], ["Other", it.totals.verdicts_now, it.sha256_now]] as const).map(([name, counts, digest]) => (
            <tr key={name}>
              <th scope="row">{name} <span className="font-mono text-xs font-normal text-soft" title={digest}>{short(digest)}</span></th>
              <td className="w-1/2"><StackedBar counts={counts} most={most} /></td>
              <td className="ps-3"><Verdicts counts={counts} /></td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <div className="mb-1 flex flex-wrap items-center gap-3">
          <h3 className="text-sm">Call by call</h3>
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} className="size-4 accent-accent" />
            also where nothing differs
          </label>
          <Button size="small" icon={<Download className="size-4" aria-hidden />} onClick={() => keepText(`counterfactual-${it.hook}.json`, "application/json", `${JSON.stringify(it, null, 2)}\n`)}>
            Export as JSON
          </Button>
        </div>
        {shown.length === 0 ? <p className="text-soft">No call differs.</p> : null}
        <ul className="flex flex-col">
          {shown.map((call) => (
            <li key={call.seq} className={cx("grid gap-x-4 gap-y-2 border-t border-line py-2.5 md:grid-cols-[9rem_1fr_1fr]", differs(call) && "shadow-[inset_3px_0_0_var(--ask)] ps-3")}>
              <p className="text-sm text-soft">
                <span className="font-mono">{call.seq}</span> {call.point}
                <span className="block">turn {call.turn}{call.rework_round > 0 ? `, round ${call.rework_round}` : ""}</span>
              </p>
              <Side title="Then" said={call.then} findings={call.found_then_only} />
              <Side title="The other component" said={call.now} findings={call.found_now_only} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The run made again, and what another component would have said in a hook's place. Neither writes anything. */
export function Replay({ trace }: { trace: Trace }) {
  const again = useWork<Replayed>();
  const other = useWork<Swapped>();
  const known = useQuery(components);
  const hooks = useMemo(() => hookNumbers(trace), [trace]);
  const [hook, setHook] = useState("");
  const [chosen, setChosen] = useState("");
  const own = hooks.find((it) => it.hook === hook) ?? hooks[0];
  const fitting = known.data ?? [];
  // A component named like the hook is likely meant for it.
  const component = fitting.find((it) => it.name === chosen) ?? fitting.find((it) => own && it.name.startsWith(own.hook)) ?? fitting[0];
  return (
    <div className="min-h-0 flex-1 overflow-auto px-4 py-4">
      <div className="flex max-w-5xl flex-col gap-8">
        <section aria-labelledby="again">
          <h2 id="again" className="text-base">The run again</h2>
          <p className="mb-3 mt-0.5 max-w-2xl text-soft">Every call of a hook or tool is made again from the journal alone, with no model and no person, and compared. Nothing is written.</p>
          <Button icon={<Repeat className="size-4" aria-hidden />} busy={again.busy} onClick={() => void again.run(() => replay(trace.trace), (it) => (it.divergence ? "It went otherwise" : "It came out the same"))}>
            Replay
          </Button>
          {again.error ? <ErrorNote error={again.error} className="mt-3 max-w-2xl" /> : null}
          {again.value ? <div className="mt-3"><Outcome it={again.value} /></div> : null}
        </section>
        <section aria-labelledby="other">
          <h2 id="other" className="text-base">Another component in a hook’s place</h2>
          <p className="mb-3 mt-0.5 max-w-2xl text-soft">What would it have said to these very events? The course of the run stays as it was.</p>
          {known.error ? <ErrorNote error={known.error} className="mb-3 max-w-2xl" onRetry={() => void known.refetch()} /> : null}
          {hooks.length === 0 ? <p className="text-soft">No hook ran in this run, so there is nothing to compare.</p> : (
            <div className="flex flex-wrap items-end gap-3">
              <div className="w-60">
                <Field label="Hook">
                  {(ids) => (
                    <Select {...ids} value={own?.hook ?? ""} onChange={(event) => setHook(event.target.value)}>
                      {hooks.map((it) => <option key={it.hook} value={it.hook}>{it.hook}</option>)}
                    </Select>
                  )}
                </Field>
              </div>
              <div className="w-80 max-w-full">
                <Field label="Component">
                  {(ids) => (
                    <Select {...ids} value={component?.name ?? ""} disabled={fitting.length === 0} onChange={(event) => setChosen(event.target.value)}>
                      {fitting.length === 0 ? <option value="">none is there</option> : null}
                      {fitting.map((it) => <option key={it.name} value={it.name}>{`${it.name} (${bytes(it.bytes)})`}</option>)}
                    </Select>
                  )}
                </Field>
              </div>
              <Button
                icon={<FlaskConical className="size-4" aria-hidden />}
                busy={other.busy}
                disabled={!component || !own}
                onClick={() => component && own && void other.run(() => swap(trace.trace, own.hook, component.name), (it) => `${count(it.totals.verdicts_changed, "verdict")} would have been different`)}
              >
                Compare
              </Button>
            </div>
          )}
          {known.data && fitting.length === 0 ? (
            <p className="mt-2 max-w-2xl text-sm text-soft">Components to compare with are files <code>*.wasm</code> in the directory <code>swaps</code> of the data directory. Whoever runs the server puts them there.</p>
          ) : null}
          {other.error ? <ErrorNote error={other.error} className="mt-3 max-w-2xl" /> : null}
          {other.value ? <div className="mt-4"><Comparison it={other.value} /></div> : null}
        </section>
      </div>
    </div>
  );
}
