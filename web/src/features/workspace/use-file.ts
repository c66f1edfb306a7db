// One file that is open: what the server has, what is changed here, and what can be done with both.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState, useSyncExternalStore } from "react";
import { ApiError } from "@/api/errors";
import { file } from "@/api/queries";
import type { FileText } from "@/api/types";
import { announce } from "@/lib/announce";
import { toast } from "@/ui";
import { drafts, standing, type Standing } from "./drafts";
import { conflictOf, deleteFile, saveFile, type Current } from "./queries";

/** The server tells of what is changed through it; other programs change files too. */
const LOOK_AGAIN_MS = 20_000;

export type OpenFile = {
  path: string;
  /** As the server has it; nothing while it is fetched or where it is gone. */
  now: FileText | undefined;
  loading: boolean;
  error: unknown;
  text: string;
  standing: Standing;
  saving: boolean;
  failed: unknown;
  conflict: { current: Current | null } | null;
  edit: (text: string) => void;
  save: () => Promise<void>;
  saveOver: (text: string, before: string | null) => Promise<boolean>;
  compare: () => void;
  closeConflict: () => void;
  drop: () => void;
  remove: () => Promise<boolean>;
  again: () => void;
};

export const useUnsaved = (): readonly string[] => useSyncExternalStore(drafts.subscribe, drafts.unsaved);

export function useFile(path: string): OpenFile {
  const client = useQueryClient();
  const query = useQuery({ ...file(path), refetchInterval: LOOK_AGAIN_MS });
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(path));
  const [saving, setSaving] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const [conflict, setConflict] = useState<{ current: Current | null } | null>(null);
  const missing = query.error instanceof ApiError && query.error.status === 404;
  const now = missing ? undefined : query.data;
  const known = now ?? (missing ? null : undefined);
  const stands = known === undefined ? (draft ? "dirty" : "clean") : standing(draft, known);

  const edit = useCallback(
    (text: string) => {
      const was = drafts.get(path);
      if (was) drafts.put(path, text === was.baseText ? null : { ...was, text });
      else if (now && text !== now.text) drafts.put(path, { base: now.sha256, baseText: now.text, text });
    },
    [path, now],
  );

  const saveOver = useCallback(
    async (text: string, before: string | null) => {
      setSaving(true);
      setFailed(null);
      try {
        const saved = await saveFile(client, path, text, before);
        // What was typed while it was on its way is unsaved still.
        const later = drafts.get(path);
        drafts.put(path, later && later.text !== text && before === later.base ? { base: saved.sha256, baseText: text, text: later.text } : null);
        setConflict(null);
        announce("Saved");
        return true;
      } catch (error) {
        const found = conflictOf(error);
        if (found) setConflict(found);
        else setFailed(error);
        if (found) void client.invalidateQueries({ queryKey: file(path).queryKey });
        return false;
      } finally {
        setSaving(false);
      }
    },
    [client, path],
  );

  const save = useCallback(async () => {
    const mine = drafts.get(path);
    if (mine) await saveOver(mine.text, mine.base);
  }, [path, saveOver]);

  const drop = useCallback(() => {
    const was = drafts.get(path);
    if (!was) return;
    drafts.put(path, null);
    setConflict(null);
    toast("Your changes were dropped.", { action: { label: "Bring them back", run: () => drafts.put(path, was) } });
  }, [path]);

  const remove = useCallback(async () => {
    if (!now) return false;
    try {
      await deleteFile(client, now);
    } catch (error) {
      setFailed(error);
      return false;
    }
    const was = drafts.get(path);
    drafts.put(path, null);
    const undo = async () => {
      try {
        await saveFile(client, path, now.text, null);
        if (was) drafts.put(path, was);
        toast(`${path} is back.`);
      } catch (error) {
        toast(error instanceof Error ? error.message : "It could not be brought back.", { tone: "bad" });
      }
    };
    toast(`${path} was deleted.`, { action: { label: "Undo", run: () => void undo() } });
    return true;
  }, [client, now, path]);

  return {
    path,
    now,
    loading: query.isPending,
    error: missing && draft ? null : query.error,
    text: draft?.text ?? now?.text ?? "",
    standing: stands,
    saving,
    failed,
    conflict,
    edit,
    save,
    saveOver,
    compare: () => setConflict({ current: now ? { text: now.text, sha256: now.sha256 } : null }),
    closeConflict: () => setConflict(null),
    drop,
    remove,
    again: () => void query.refetch(),
  };
}
