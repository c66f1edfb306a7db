// Reads server-sent events out of a byte stream: the format alone, with no connection and no clock.

export type SseEvent = { event: string; data: string; id: string | null };

/** Longest line that is kept, in characters: a broken stream must not fill the memory. */
const LINE_MAX = 32 * 1024 * 1024;

export class SseReader {
  private rest = "";
  private event = "";
  private data: string[] = [];
  private id: string | null = null;

  /** Takes the next piece of text and gives the events that it completes. */
  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    if (this.rest.length > LINE_MAX) throw new Error("a line of the event stream is too long");
    for (const line of lines) {
      const event = this.line(line);
      if (event) events.push(event);
    }
    return events;
  }

  private line(line: string): SseEvent | null {
    if (line === "") return this.dispatch();
    if (line.startsWith(":")) return null;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.event = value;
    else if (field === "data") this.data.push(value);
    else if (field === "id" && !value.includes("\0")) this.id = value;
    return null;
  }

  private dispatch(): SseEvent | null {
    const event = this.data.length === 0 ? null : { event: this.event || "message", data: this.data.join("\n"), id: this.id };
    this.event = "";
    this.data = [];
    this.id = null;
    return event;
  }
}
