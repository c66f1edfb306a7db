import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { call, pathOf } from "@/api/client";
import { shown } from "@/api/errors";
import { me } from "@/api/queries";
import type { Person } from "@/api/types";
import { usePageTitle } from "@/lib/title";
import { series } from "@/lib/words";
import { Button, Confirm, ErrorNote, Skeleton, toast } from "@/ui";
import { Edit } from "./edit";
import { people } from "./queries";
import { ROLES } from "./roles";

function Row({ person, own, onChange, onRemove }: { person: Person; own: boolean; onChange: () => void; onRemove: () => void }) {
  const labels = ROLES.filter(({ role }) => person.roles.includes(role)).map(({ label }) => label.toLowerCase());
  const signOut = useMutation({
    mutationFn: () => call(`/people/${pathOf(person.id)}/sign-out`, { method: "POST" }),
    onSuccess: () => toast(`${person.name} is signed out everywhere.`),
    onError: (error) => toast(shown(error).message, { tone: "bad" }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <p className="font-medium">
          {person.name}
          {own ? <span className="font-normal text-soft"> (you)</span> : null}
        </p>
        <p className="text-sm text-soft">{labels.length > 0 ? series(labels) : "may do nothing"}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onChange} aria-label={`Change ${person.name}`}>
          Change
        </Button>
        <Button size="small" busy={signOut.isPending} onClick={() => signOut.mutate()} aria-label={`Sign ${person.name} out everywhere`}>
          Sign out
        </Button>
        {own ? null : (
          <Button size="small" look="danger" onClick={onRemove} aria-label={`Remove ${person.name}`}>
            Remove
          </Button>
        )}
      </div>
    </li>
  );
}

/** Who may sign in. */
export default function PeoplePage() {
  usePageTitle("People");
  const client = useQueryClient();
  const { data: self } = useQuery(me);
  const { data, error, isPending } = useQuery(people);
  const [edited, setEdited] = useState<Person | "new" | null>(null);
  const [leaving, setLeaving] = useState<Person | null>(null);
  const remove = useMutation({
    mutationFn: (person: Person) => call(`/people/${pathOf(person.id)}`, { method: "DELETE" }),
    onError: (error) => toast(shown(error).message, { tone: "bad" }),
    onSettled: () => client.invalidateQueries({ queryKey: people.queryKey }),
  });
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto max-w-3xl px-4 py-6">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          <div>
            <h1 className="text-2xl">People</h1>
            <p className="text-soft">Who may sign in, and what they may do. What each of them has stays their own.</p>
          </div>
          <Button look="primary" icon={<UserPlus className="size-4" aria-hidden />} onClick={() => setEdited("new")}>
            Add a person
          </Button>
        </div>
        {isPending ? <Skeleton className="h-24" /> : null}
        {error ? <ErrorNote error={error} /> : null}
        <ul className="divide-y divide-line">
          {data?.map((person) => (
            <Row key={person.id} person={person} own={person.id === self?.owner} onChange={() => setEdited(person)} onRemove={() => setLeaving(person)} />
          ))}
        </ul>
      </div>
      {edited === null ? null : <Edit key={edited === "new" ? "" : edited.id} person={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
      <Confirm
        open={leaving !== null}
        onOpenChange={(open) => (open ? undefined : setLeaving(null))}
        title={`Remove ${leaving?.name ?? ""}?`}
        description="They are signed out and may not sign in any more. Their sessions and memory stay on the server, and nobody who is added later gets them. To erase them too, use “teacher-assist erase”."
        action="Remove"
        danger
        onConfirm={() => {
          if (leaving) remove.mutate(leaving);
        }}
      />
    </div>
  );
}
