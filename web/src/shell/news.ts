import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { me as meQuery, waiting } from "@/api/queries";
import { stream } from "@/api/stream";

/** Keeps the stream of this tab open on every page, and the list of waiting questions up to date by it. */
export function useNews(): void {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const teacher = me?.roles.includes("teacher") ?? false;
  useEffect(() => {
    if (!teacher) return undefined;
    const fetchWaiting = () => void client.invalidateQueries({ queryKey: waiting.queryKey });
    const ends = [stream.watchVisibility(document), stream.on("waiting", fetchWaiting)];
    if (stream.status === "idle") stream.follow(null);
    return () => ends.forEach((end) => end());
  }, [client, teacher]);
}
