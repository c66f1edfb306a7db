// Numbers of a trace as people read them.
const THREE = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });
const POWERS: [number, string][] = [[1e9, " G"], [1e6, " M"], [1e3, " k"]];
const EXACT = new Intl.NumberFormat("en-GB");

/** "950", "94 k", "1.26 M". */
export function compact(n: number): string {
  const [power, letter] = POWERS.find(([least]) => n >= least * 0.9995) ?? [1, ""];
  return THREE.format(n / power) + letter;
}
export const exact = (n: number): string => EXACT.format(n);

/** "0.94 ms", "12 ms", "3.4 s", "2 min 05 s". */
export function micros(us: number): string {
  if (us === 0) return "0 ms";
  if (us < 10_000) return `${(us / 1_000).toFixed(us < 1_000 ? 2 : 1)} ms`;
  if (us < 1_000_000) return `${Math.round(us / 1_000)} ms`;
  if (us < 60_000_000) return `${(us / 1_000_000).toFixed(1)} s`;
  const seconds = Math.round(us / 1_000_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** "3 s", "5 min", "2 h 10 min", "3 days". */
export function wait(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 1_440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const days = Math.round(minutes / 1_440);
  return days === 1 ? "a day" : `${days} days`;
}

export const bytes = (n: number): string => (n < 1_048_576 ? `${Math.round(n / 1_024)} KiB` : `${(n / 1_048_576).toFixed(1)} MiB`);
export const short = (digest: string): string => digest.slice(0, 12);
export const STATUSES: Record<string, string> = {
  success: "success",
  error_hook_abort: "ended by a hook",
  error_max_turns: "too many turns",
  error_max_budget: "budget reached",
  error_tool_retry_exhausted: "a tool kept failing",
  error_no_progress: "no progress",
  error_output_schema: "output of the wrong form",
  error_max_output: "cut off at its length limit",
  error_refusal: "declined by the model",
  error_too_long: "too long for the model's window",
};
