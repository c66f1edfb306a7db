import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import type { FileNode } from "@/api/types";
import { Button, Dialog, ErrorNote, Field, Select, TextInput } from "@/ui";
import { firstText, KINDS, newPath, wrongPath, type NewKind } from "./new-file";
import { saveFile } from "./queries";

type Props = { open: boolean; onOpenChange: (open: boolean) => void; tree: FileNode | undefined; onMade: (path: string) => void };

export function NewFile({ open, onOpenChange, tree, onMade }: Props) {
  const client = useQueryClient();
  const [kind, setKind] = useState<NewKind>("class");
  const [name, setName] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const path = newPath(kind, name);
  const wrong = wrongPath(path, tree);
  const make = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrong) return;
    setBusy(true);
    setFailed(null);
    try {
      await saveFile(client, path, firstText(kind, path), null);
      onOpenChange(false);
      setName("");
      setTried(false);
      onMade(path);
    } catch (error) {
      setFailed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New file"
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button look="primary" type="submit" form="new-file" busy={busy}>Make it</Button>
        </>
      }
    >
      <form id="new-file" onSubmit={(event) => void make(event)} className="flex flex-col gap-4">
        <Field label="What is it?">
          {(ids) => (
            <Select {...ids} value={kind} onChange={(event) => setKind(event.target.value as NewKind)}>
              {KINDS.map((it) => (
                <option key={it.value} value={it.value}>{it.label}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Name" hint={wrong || name === "" ? KINDS.find((it) => it.value === kind)?.hint : `It will be ${path}`} error={tried ? wrong : null}>
          {(ids) => <TextInput {...ids} value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />}
        </Field>
        {failed ? <ErrorNote error={failed} /> : null}
      </form>
    </Dialog>
  );
}
