import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { call, pathOf } from "@/api/client";
import type { Person, Role } from "@/api/types";
import { Button, Dialog, ErrorNote, Field, TextInput } from "@/ui";
import { people } from "./queries";
import { ROLES } from "./roles";

/** Adds somebody, or changes who is there. */
export function Edit({ person, onClose }: { person: Person | null; onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(person?.name ?? "");
  const [roles, setRoles] = useState<Role[]>(person?.roles ?? ["teacher"]);
  const [passcode, setPasscode] = useState("");
  const save = useMutation({
    mutationFn: () => {
      if (person === null) return call("/people", { method: "POST", body: { name, roles, passcode } });
      const body = { roles, ...(name === person.name ? {} : { name }), ...(passcode === "" ? {} : { passcode }) };
      return call(`/people/${pathOf(person.id)}`, { method: "PATCH", body });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: people.queryKey });
      onClose();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const toggle = (role: Role, on: boolean) => setRoles((were) => (on ? [...were, role] : were.filter((it) => it !== role)));
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title={person === null ? "Add a person" : `Change ${person.name}`}>
      <form onSubmit={send} className="flex flex-col gap-4">
        <Field label="Name" hint="What they sign in with: letters, digits, “-”, “_” and “.”. Another name keeps everything that is theirs.">
          {(ids) => <TextInput {...ids} required autoCapitalize="none" autoComplete="off" spellCheck={false} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1 font-medium">What they may do</legend>
          {ROLES.map(({ role, label, hint }) => (
            <label key={role} className="flex gap-2.5">
              <input type="checkbox" className="mt-1 size-4 shrink-0" checked={roles.includes(role)} onChange={(event) => toggle(role, event.target.checked)} />
              <span>
                {label}
                <span className="block text-sm text-soft">{hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Field
          label={person === null ? "Passcode" : "Another passcode"}
          hint={person === null ? "Four words are easy to remember and hard to guess." : "Left empty, it stays. Another one signs them out everywhere."}
        >
          {(ids) => <TextInput {...ids} type="password" autoComplete="new-password" required={person === null} value={passcode} onChange={(event) => setPasscode(event.target.value)} />}
        </Field>
        {save.error ? <ErrorNote error={save.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={save.isPending} aria-disabled={roles.length === 0 || undefined}>
            {person === null ? "Add" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
