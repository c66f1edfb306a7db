// What a person does with a session.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call, newKey, pathOf } from "@/api/client";
import { commands, waiting } from "@/api/queries";
import type { Command, Decision, Outcome, RunRequest, RunStarted } from "@/api/types";

/** A run to begin. Without a command it is the one that a lesson begins with. */
export type Wanted = Omit<RunRequest, "plugin" | "command"> & { of?: Command };

export function useStartRun() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ of, ...wanted }: Wanted) => {
      // Who is quick presses the button before the list of commands has come: it is waited for, or its error is shown.
      const { plugin, command } = of ?? first(await client.ensureQueryData(commands));
      return call<RunStarted>("/runs", { method: "POST", body: { ...wanted, plugin, command } satisfies RunRequest, key: newKey() });
    },
    onSuccess: async ({ session }) => {
      void client.invalidateQueries({ queryKey: ["sessions"] });
      void client.invalidateQueries({ queryKey: ["session", session] });
      await navigate({ to: "/plan/$session", params: { session } });
    },
  });
}

function first(list: Command[]): Command {
  const found = list.find((it) => it.command === "create-lesson") ?? list[0];
  if (!found) throw new Error("No plugin with a command is installed.");
  return found;
}

export function useStop() {
  return useMutation({ mutationFn: (run: string) => call<void>(`/runs/${pathOf(run)}/stop`, { method: "POST" }) });
}

export function useResume() {
  return useMutation({ mutationFn: (run: string) => call<RunStarted>(`/runs/${pathOf(run)}/resume`, { method: "POST" }) });
}

export type Given = { run: string; hash: string; decisions?: Decision[]; outcome?: Outcome };

export function useAnswer() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ run, ...body }: Given) => call<void>(`/runs/${pathOf(run)}/answers`, { method: "POST", body }),
    onSettled: () => void client.invalidateQueries({ queryKey: waiting.queryKey }),
  });
}

type Undone = RunStarted & { forgotten: string[]; changed: string[] };

/** Goes back to before the last decision: the lesson as it is stays, and a copy goes on from there. */
export function useUndo() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (session: string) => call<Undone>(`/sessions/${pathOf(session)}/undo`, { method: "POST" }),
    onSuccess: ({ session }) => navigate({ to: "/plan/$session", params: { session }, search: { focus: "question" } }),
  });
}
