// What the workspace asks of the server and changes there.
import type { QueryClient } from "@tanstack/react-query";
import { call, pathOf } from "@/api/client";
import { ApiError } from "@/api/errors";
import { file, files } from "@/api/queries";
import type { FileSaved, FileText } from "@/api/types";

export type Current = { text: string; sha256: string };

/** What the file holds now, where saving found it changed; none where it is gone. */
export function conflictOf(error: unknown): { current: Current | null } | null {
  if (!(error instanceof ApiError) || error.status !== 409 || !/\.conflict$/.test(error.code)) return null;
  const current = (error.body as { current?: Partial<Current> | null } | null)?.current;
  return typeof current?.text === "string" && typeof current.sha256 === "string" ? { current: { text: current.text, sha256: current.sha256 } } : { current: null };
}

export async function saveFile(client: QueryClient, path: string, text: string, before: string | null): Promise<FileSaved> {
  const saved = await call<FileSaved>(`/files/${pathOf(path)}`, { method: "PUT", body: { text, before } });
  const key = file(path).queryKey;
  const was = client.getQueryData(key);
  if (was) client.setQueryData(key, { ...was, text, sha256: saved.sha256, problems: saved.problems });
  else await client.invalidateQueries({ queryKey: key });
  void client.invalidateQueries({ queryKey: files.queryKey });
  // A class that was changed is offered otherwise at the start.
  void client.invalidateQueries({ queryKey: ["start"] });
  return saved;
}

export async function deleteFile(client: QueryClient, it: FileText): Promise<void> {
  await call(`/files/${pathOf(it.path)}`, { method: "DELETE", body: { before: it.sha256 } });
  client.removeQueries({ queryKey: file(it.path).queryKey });
  await client.invalidateQueries({ queryKey: files.queryKey });
}
