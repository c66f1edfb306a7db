// The access code of this tab. A link carries it behind `#`, which no browser sends and no server notes down; from there it is
// taken out of the address at once, so that it is not read over a shoulder or sent on with it.

/** What a link holds: a code, and what is to be worked on, where whoever gave it has said so. */
export type Link = { code: string; topic: string };

const KEPT = "teacher-assist:learn:code";
const ALPHABET = /^[0-9A-HJKMNP-TV-Z]{20}$/;
/** Letters of a code stand in groups, and a topic has an end. */
const GROUP = 5;
const TOPIC_MAX = 120;

/** A code as it is written, with what is easily mistyped put right; null where it cannot be one. */
export function readCode(typed: string): string | null {
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  if (!ALPHABET.test(plain)) return null;
  return plain.match(new RegExp(`.{${GROUP}}`, "g"))?.join("-") ?? null;
}

/** What stands behind `#`: `CODE` or `CODE/TOPIC`. */
export function readLink(fragment: string): Link | null {
  const [first = "", ...rest] = fragment.replace(/^#/, "").split("/");
  const code = readCode(first);
  if (!code) return null;
  let topic = "";
  try {
    topic = decodeURIComponent(rest.join("/")).trim().slice(0, TOPIC_MAX);
  } catch {
    // A link that was cut off still opens; the topic is asked for then.
  }
  return { code, topic };
}

/** The address behind which a code opens its session. */
export function linkOf(origin: string, { code, topic }: Link): string {
  return `${origin}/learn#${code}${topic.trim() ? `/${encodeURIComponent(topic.trim())}` : ""}`;
}

const isLink = (value: unknown): value is Link =>
  typeof value === "object" && value !== null && "code" in value && typeof value.code === "string" && "topic" in value && typeof value.topic === "string";

function read(storage: () => Storage): Link | null {
  try {
    const value: unknown = JSON.parse(storage().getItem(KEPT) ?? "null");
    return isLink(value) && readCode(value.code) ? value : null;
  } catch {
    return null;
  }
}

function write(storage: () => Storage, link: Link | null): void {
  try {
    if (link) storage().setItem(KEPT, JSON.stringify(link));
    else storage().removeItem(KEPT);
  } catch {
    // A browser that keeps nothing asks for the code again.
  }
}

const tab = () => sessionStorage;
const browser = () => localStorage;

/** Whether the code stays in this browser when the tab is closed. */
export const isRemembered = (): boolean => read(browser) !== null;

/** Keeps the code in this browser until somebody says otherwise, or in this tab alone. */
export function remember(link: Link, always: boolean): void {
  write(browser, always ? link : null);
}

/** The code of this tab is this one from now on. */
export function open(link: Link): void {
  write(tab, link);
  const kept = read(browser);
  if (kept && kept.code !== link.code) write(browser, null);
}

/** Forgets the code, and what was typed under it. */
export function leave(): void {
  for (const storage of [tab, browser]) write(storage, null);
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFT)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/** The code that this tab works with: of the link, of the tab, or of this browser. */
export function current(): Link | null {
  const linked = readLink(location.hash);
  if (linked) {
    history.replaceState(null, "", location.pathname);
    open(linked);
    return linked;
  }
  return read(tab) ?? read(browser);
}

const DRAFT = "teacher-assist:learn:draft:";

/** Text that was typed and not sent, by session. */
export function draft(session: string): string {
  try {
    return sessionStorage.getItem(DRAFT + session) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(session: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(DRAFT + session);
    else sessionStorage.setItem(DRAFT + session, text);
  } catch {
    // It stays in the field.
  }
}
