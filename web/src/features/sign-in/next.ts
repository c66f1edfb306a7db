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

/** What is said about why somebody stands here; none where there is nothing to say. */
export function messageOf(reason: string | undefined): Message | null {
  if (reason !== "link") return null;
  return {
    title: "This link is no longer good",
    text: "Each link opens one time, so that nobody else can use yours. A new one is printed where teacher-assist runs, as soon as the one before was used.",
  };
}

/** "in 40 seconds", "in 2 minutes". */
export function inSeconds(seconds: number): string {
  if (seconds < 90) return `in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
