// Times, amounts and counts as people read them.

const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayOfWeek = new Intl.DateTimeFormat("en-GB", { weekday: "long" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" });
const fullDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

function midnight(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

/** "just now", "5 minutes ago", "today, 19:40", "yesterday, 19:40", "Tuesday, 19:40", "3 March", "3 March 2025". */
export function when(ms: number, now = Date.now()): string {
  const minutes = Math.floor((now - ms) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${count(minutes, "minute")} ago`;
  const days = Math.round((midnight(now) - midnight(ms)) / DAY_MS);
  if (days === 0) return `today, ${clock.format(ms)}`;
  if (days === 1) return `yesterday, ${clock.format(ms)}`;
  if (days < 7) return `${dayOfWeek.format(ms)}, ${clock.format(ms)}`;
  return new Date(ms).getFullYear() === new Date(now).getFullYear() ? dayOfYear.format(ms) : fullDay.format(ms);
}

/** The full date and time, for titles. */
export function moment(ms: number): string {
  return `${fullDay.format(ms)}, ${clock.format(ms)}`;
}

/** "1 item", "3 items"; `many` where an s is not enough. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en-GB")} ${n === 1 ? one : many}`;
}

/** US dollars, as exact as the amount needs: "free", "under 1 ¢", "4 ¢", "$1.20". */
export function dollars(amount: number): string {
  if (amount <= 0) return "free";
  if (amount < 0.01) return "under 1 ¢";
  if (amount < 1) return `${Math.round(amount * 100)} ¢`;
  return `$${amount.toFixed(2)}`;
}

/** "0.4 s", "12 s", "3 min 05 s". */
export function span(ms: number): string {
  if (ms < 950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** "a, b and c". */
export function series(parts: string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1] ?? ""}`;
}
