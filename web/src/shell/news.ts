import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { me as meQuery, memory, waiting } from "@/api/queries";
import { stream as tabStream, type EventStream } from "@/api/stream";

/** A session that is opened brings all its records at once: what they make stale is fetched one time. */
const TOGETHER_MS = 500;

/** Makes stale what the stream says has changed: questions that wait, and what is remembered. */
export function hearNews(client: QueryClient, stream: EventStream): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const forget = () => {
    timer = undefined;
    for (const queryKey of [memory.queryKey, ["memory-audit"]]) void client.invalidateQueries({ queryKey });
  };
  const remembered = () => {
    timer ??= setTimeout(forget, TOGETHER_MS);
  };
  const ends = [
    stream.on("waiting", () => {
      void client.invalidateQueries({ queryKey: waiting.queryKey });
      // A page that follows no session hears no records; an answered question is what writes to memory.
      remembered();
    }),
    stream.on("record", ({ type }) => {
      if (type === "memory.written" || type === "memory.consolidated" || type === "run.finished") remembered();
    }),
  ];
  return () => {
    // Who leaves before it was done finds it done when they come back.
    if (timer !== undefined) {
      clearTimeout(timer);
      forget();
    }
    ends.forEach((end) => end());
  };
}

/** Keeps the stream of this tab open on every page, and what was fetched up to date by it. */
export function useNews(): void {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const teacher = me?.roles.includes("teacher") ?? false;
  useEffect(() => {
    if (!teacher) return undefined;
    const ends = [tabStream.watchVisibility(document), hearNews(client, tabStream)];
    if (tabStream.status === "idle") tabStream.follow(null);
    return () => ends.forEach((end) => end());
  }, [client, teacher]);
}
