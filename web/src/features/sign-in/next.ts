// Where to go after signing in, and what is said about a link that is no longer good.

/** A path of this page and nothing else: an address given from outside must not lead away. */
export function safePath(next: string | undefined): string {
  if (!next || !/^\/(?![/\\])/.test(next)) return "/";
  try {
    const url = new URL(next, "http://here.invalid");
    if (url.origin !== "http://here.invalid" || url.pathname.startsWith("/sign-in") || url.pathname.startsWith("/api")) return "/";
    return url.pathname + url.search + url.hash;
  } catch {
    return "/";
  }
}

export type Message = { title: string; text: string };

const AGAIN = "Start teacher-assist again: it prints a new link, and opens it.";
const PROBLEMS: Record<string, Message> = {
  used: { title: "This link has been used already", text: `Each link opens one time, so that nobody else can use yours. ${AGAIN}` },
  expired: { title: "This link has run out", text: `A link is good for a few minutes. ${AGAIN}` },
  wrong: { title: "This link is not complete", text: `Part of it may have been lost when it was copied. Copy all of it. Or start teacher-assist again: it prints a new one.` },
};

/** What is said about a link; none where there was no link. */
export function problemOf(problem: string | undefined): Message | null {
  if (!problem) return null;
  return PROBLEMS[problem] ?? { title: "This link is no longer good", text: AGAIN };
}

/** "in 40 seconds", "in 2 minutes". */
export function inSeconds(seconds: number): string {
  if (seconds < 90) return `in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
