import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { call } from "@/api/client";
import { shown } from "@/api/errors";
import { me as meQuery } from "@/api/queries";
import { announce } from "@/lib/announce";
import { toast } from "@/ui";

/** Whether researchers may look at this teacher's runs. Off until the teacher says otherwise, and taken back as easily. */
export function Agreement() {
  const id = useId();
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [busy, setBusy] = useState(false);
  if (!me || me.research === undefined || !me.roles.includes("teacher")) return null;
  const change = async (research: boolean) => {
    setBusy(true);
    try {
      await call("/me/research", { method: "PUT", body: { research } });
      client.setQueryData(meQuery.queryKey, { ...me, research });
      announce(research ? "Researchers may look at your lessons" : "Researchers do not see your lessons");
    } catch (error) {
      toast(shown(error).message, { tone: "bad" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-xl border border-line px-4 py-3.5 sm:px-5">
      <h2 id={`${id}-title`} className="text-base">For research</h2>
      <label className="mt-1.5 flex items-start gap-3">
        <input type="checkbox" checked={me.research} disabled={busy} onChange={(event) => void change(event.target.checked)} aria-describedby={`${id}-more`} className="mt-1 size-4 accent-accent" />
        <span>Researchers of a study here may look at how my lessons came about</span>
      </label>
      <p id={`${id}-more`} className="ms-7 mt-0.5 text-sm text-soft">
        Without your name, under a pseudonym: requests, drafts, decisions and the time they took. Nothing is scored, and teachers are not compared. You can take
        this back at any time; then they see none of it.
      </p>
    </section>
  );
}
