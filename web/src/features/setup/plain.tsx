import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { act, type Action, type ActionDone, type Schema } from "@/api/actions";
import { count } from "@/lib/words";
import { Button, ErrorNote, Field, Select, TextArea, TextInput } from "@/ui";
import { Review } from "./review";

type Value = string | number | boolean | string[] | Record<string, unknown> | null | undefined;
type Fields = Record<string, Value>;

const kind = (schema: Schema): string => (Array.isArray(schema.type) ? schema.type.find((it) => it !== "null") : schema.type) ?? "string";
const label = (name: string, schema: Schema): string => schema.title ?? name.replaceAll(/[_-]/g, " ");
const lines = (text: string): string[] => text.split("\n").map((it) => it.trim()).filter((it) => it !== "");
const object = (value: Value): Fields => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {});

/** What a form can hold: texts, numbers, choices, lists of texts, and groups of these. */
const drawn = (schema: Schema): boolean => kind(schema) !== "array" || kind(schema.items ?? {}) === "string";

/** One field of a form: an object is a group of them, a list of texts has a line for each. */
function Part({ name, schema, value, onChange }: { name: string; schema: Schema; value: Value; onChange: (value: Value) => void }) {
  const hint = schema.description;
  switch (kind(schema)) {
    case "object":
      return (
        <fieldset className="rounded-lg border border-line px-4 py-3">
          <legend className="px-1 font-medium">{label(name, schema)}</legend>
          {hint ? <p className="mb-2 text-sm text-soft">{hint}</p> : null}
          <Parts schema={schema} values={object(value)} onChange={onChange} />
        </fieldset>
      );
    case "array":
      return (
        <Field label={label(name, schema)} hint={hint ?? "One in each line."}>
          {(ids) => <TextArea {...ids} rows={3} value={Array.isArray(value) ? value.join("\n") : ""} onChange={(event) => onChange(event.target.value.split("\n"))} />}
        </Field>
      );
    case "boolean":
      return (
        <label className="flex min-h-9 items-center gap-2">
          <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} className="size-4 accent-accent" />
          {label(name, schema)}
        </label>
      );
    default:
      return (
        <Field label={label(name, schema)} hint={hint}>
          {(ids) =>
            schema.enum ? (
              <Select {...ids} value={String(value ?? "")} onChange={(event) => onChange(event.target.value)}>
                <option value="">–</option>
                {schema.enum.map((it) => <option key={String(it)}>{String(it)}</option>)}
              </Select>
            ) : (
              <TextInput {...ids} inputMode={kind(schema) === "string" ? "text" : "numeric"} value={String(value ?? "")} onChange={(event) => onChange(event.target.value)} />
            )
          }
        </Field>
      );
  }
}

function Parts({ schema, values, onChange }: { schema: Schema; values: Fields; onChange: (values: Fields) => void }) {
  return (
    <div className="flex flex-col gap-4">
      {Object.entries(schema.properties ?? {}).filter(([, part]) => drawn(part)).map(([name, part]) => (
        <Part key={name} name={name} schema={part} value={values[name]} onChange={(value) => onChange({ ...values, [name]: value })} />
      ))}
    </div>
  );
}

/** What is sent of a form: numbers as numbers, lists without empty lines, and nothing for what was left empty. */
export function filled(schema: Schema, values: Fields): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const value = values[name];
    if (value === undefined || value === null || value === "") continue;
    switch (kind(part)) {
      case "object": {
        const inner = filled(part, object(value));
        if (Object.keys(inner).length > 0) sent[name] = inner;
        break;
      }
      case "array": {
        const list = Array.isArray(value) ? lines(value.join("\n")) : [];
        if (list.length > 0) sent[name] = list;
        break;
      }
      case "integer":
      case "number":
        sent[name] = Number.isFinite(Number(value)) ? Number(value) : value;
        break;
      default:
        sent[name] = value;
    }
  }
  return sent;
}

/** The set-up of a plugin that has no screen of its own here: a form from the schema of its action, then the files as they will be. */
export function PlainSetup({ plugin, action }: { plugin: string; action: Action }) {
  const client = useQueryClient();
  const [values, setValues] = useState<Fields>({});
  const [shown, setShown] = useState<ActionDone>();
  const [replace, setReplace] = useState<Record<string, string>>({});
  const [failed, setFailed] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const send = async (apply: boolean) => {
    setBusy(true);
    setFailed(null);
    try {
      setShown(await act(plugin, action.name, { arguments: filled(action.schema, values), apply, replace: apply ? replace : {} }));
      if (apply) await Promise.all(["files", "file", "start"].map((key) => client.invalidateQueries({ queryKey: [key] })));
    } catch (error) {
      setFailed(error);
    } finally {
      setBusy(false);
    }
  };
  const written = shown?.written ?? [];
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-5">
      <h1 className="text-xl">{action.schema.title ?? "Set-up"}</h1>
      <p className="text-soft">{action.description}</p>
      {written.length > 0 ? (
        <p role="status">{count(written.length, "file")} written: {written.join(", ")}.</p>
      ) : shown ? (
        <Review files={shown.writes} replace={replace} onReplace={(path, sha256) => setReplace(({ [path]: _, ...was }) => (sha256 === null ? was : { ...was, [path]: sha256 }))} />
      ) : (
        <Parts schema={action.schema} values={values} onChange={setValues} />
      )}
      {failed ? <ErrorNote error={failed} /> : null}
      <footer className="flex gap-2 pb-6">
        {shown ? <Button onClick={() => setShown(undefined)}>Back</Button> : null}
        <span className="flex-1" />
        {written.length > 0 ? null : (
          <Button look="primary" busy={busy} onClick={() => void send(shown !== undefined)}>{shown ? "Write them" : "Look it over"}</Button>
        )}
      </footer>
    </div>
  );
}
