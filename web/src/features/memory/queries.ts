import { queryOptions, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { call, pathOf, queryOf } from "@/api/client";
import { shown } from "@/api/errors";
import { memory } from "@/api/queries";
import type { MemoryAudit, MemoryFile } from "@/api/types";
import { toast } from "@/ui";

/** Rows of the audit that are shown. */
const AUDIT_MAX = 100;

export const audit = (path: string) =>
  queryOptions({
    queryKey: ["memory-audit", path],
    queryFn: ({ signal }) => call<MemoryAudit[]>(`/memory-audit${queryOf({ path, limit: AUDIT_MAX })}`, { signal }),
  });

const again = (client: QueryClient) =>
  Promise.all([client.invalidateQueries({ queryKey: memory.queryKey }), client.invalidateQueries({ queryKey: ["memory-audit"] })]);

async function write(client: QueryClient, path: string, text: string, before: string | null): Promise<string> {
  try {
    const { sha256 } = await call<{ sha256: string }>(`/memory/${pathOf(path)}`, { method: "PUT", body: { text, before } });
    return sha256;
  } finally {
    await again(client);
  }
}

export type Change = {
  /** Writes the text in place of what the file holds; says so, with a way to take it back. False where it could not. */
  put: (file: MemoryFile, text: string, said: string) => Promise<boolean>;
  make: (path: string, text: string) => Promise<boolean>;
  /** Takes the file away, or one note of it. */
  remove: (file: MemoryFile, note: string | null, said: string) => Promise<boolean>;
};

export function useChange(): Change {
  const client = useQueryClient();
  const failed = useCallback((error: unknown) => {
    const { message, hint } = shown(error);
    toast([message, hint].filter(Boolean).join(" "), { tone: "bad" });
    return false;
  }, []);
  const put = useCallback(
    async (file: MemoryFile, text: string, said: string) => {
      try {
        const sha256 = await write(client, file.path, text, file.sha256);
        toast(said, { action: { label: "Undo", run: () => void write(client, file.path, file.text, sha256).catch(failed) } });
        return true;
      } catch (error) {
        return failed(error);
      }
    },
    [client, failed],
  );
  const make = useCallback(
    (path: string, text: string) =>
      write(client, path, text, null).then(() => true, failed),
    [client, failed],
  );
  const remove = useCallback(
    async (file: MemoryFile, note: string | null, said: string) => {
      try {
        await call(`/memory/${pathOf(file.path)}`, { method: "DELETE", body: { before: file.sha256, ...(note === null ? {} : { note }) } });
        await again(client);
        // What is there now is what the undoing takes the place of; another change in between is not overwritten.
        const left = client.getQueryData(memory.queryKey)?.find((it) => it.path === file.path)?.sha256 ?? null;
        toast(said, { action: { label: "Undo", run: () => void write(client, file.path, file.text, left).catch(failed) } });
        return true;
      } catch (error) {
        await again(client);
        return failed(error);
      }
    },
    [client, failed],
  );
  return { put, make, remove };
}
