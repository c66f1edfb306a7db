import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { call } from "@/api/client";
import { shown } from "@/api/errors";
import { stream } from "@/api/stream";
import { drafts } from "@/features/workspace";
import { forgetWork } from "@/lib/leave";
import { series } from "@/lib/words";
import { Confirm, toast } from "@/ui";

type Where = "/sign-out" | "/sign-out-everywhere";

/** Signs out, here or everywhere, and asks first where text would be lost: nothing of a person's work stays in the browser. */
export function useSignOut(): { leave: () => void; everywhere: () => void; asking: ReactNode } {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const [where, setWhere] = useState<Where>("/sign-out");
  const signOut = async (where: Where) => {
    try {
      await call(where, { method: "POST" });
    } catch (error) {
      toast(shown(error).message, { tone: "bad" });
      return;
    }
    forgetWork();
    stream.close();
    // First to where nothing is asked for, then everything that was fetched is forgotten.
    await navigate({ to: "/sign-in" });
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "sign-in" });
  };
  const leave = (where: Where) => {
    const texts = drafts.unsaved();
    setWhere(where);
    if (texts.length > 0) setUnsaved(texts);
    else void signOut(where);
  };
  const asking = (
    <Confirm
      open={unsaved.length > 0}
      onOpenChange={(open) => (open ? undefined : setUnsaved([]))}
      title="Sign out without saving?"
      description={`What you changed in ${series([...unsaved])} is not saved and would be lost.`}
      action="Sign out"
      danger
      onConfirm={() => void signOut(where)}
    />
  );
  return { leave: () => leave("/sign-out"), everywhere: () => leave("/sign-out-everywhere"), asking };
}
