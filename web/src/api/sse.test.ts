import { expect, test } from "vitest";
import { SseReader, type SseEvent } from "./sse";

const TEXT = ': beat\n\nevent: record\nid: 7\ndata: {"seq":7}\n\nevent: delta\ndata: a\ndata: b\n\nretry: 2000\n\n';
const WANTED: SseEvent[] = [
  { event: "record", id: "7", data: '{"seq":7}' },
  { event: "delta", id: null, data: "a\nb" },
];

test.each([
  ["\n", TEXT],
  ["\r\n", TEXT.replaceAll("\n", "\r\n")],
  ["\r", `${TEXT.replaceAll("\n", "\r")}:`],
])("events are read however the text is cut, with lines ending in %j", (_, text) => {
  for (let size = 1; size < text.length; size += 1) {
    const reader = new SseReader();
    const events: SseEvent[] = [];
    for (let at = 0; at < text.length; at += size) events.push(...reader.push(text.slice(at, at + size)));
    expect(events).toEqual(WANTED);
  }
});

test("half an event is none", () => {
  expect(new SseReader().push("event: record\ndata: {}\n")).toEqual([]);
});
