// Makes TypeScript types from JSON Schemas: the event catalogue, and the HTTP API once its description is there.
//   npm run types            writes src/api/events.ts (and src/api/openapi.ts from src/api/openapi.json, the description that the server is made with)
//   npm run types -- --check fails where a written file is older than its source
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./sources.mjs";

const docs = join(root, "..", "docs");

/** `Record` would hide the type of that name that TypeScript has of itself. */
function nameOf(name) {
  return name === "Record" ? "JournalRecord" : name;
}

function quoteKey(key) {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

function comment(schema, indent) {
  if (!schema?.description) return "";
  return `${indent}/** ${schema.description.replaceAll("*/", "* /").split("\n").join(`\n${indent} * `)} */\n`;
}

function object(schema, indent) {
  const inner = `${indent}  `;
  const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => {
    const optional = schema.required?.includes(key) ? "" : "?";
    return `${comment(value, inner)}${inner}${quoteKey(key)}${optional}: ${type(value, inner)};`;
  });
  if (fields.length === 0) {
    const rest = schema.additionalProperties;
    return rest && rest !== true ? `Record<string, ${type(rest, indent)}>` : "Record<string, unknown>";
  }
  return `{\n${fields.join("\n")}\n${indent}}`;
}

function union(list, indent) {
  const parts = list.map((it) => type(it, indent));
  return [...new Set(parts)].join(" | ") || "never";
}

function array(schema, indent) {
  if (schema.prefixItems) return `[${schema.prefixItems.map((it) => type(it, indent)).join(", ")}]`;
  const item = type(schema.items ?? true, indent);
  return /[|&{]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function plain(schema, name, indent) {
  switch (name) {
    case "string": return "string";
    case "integer":
    case "number": return "number";
    case "boolean": return "boolean";
    case "null": return "null";
    case "array": return array(schema, indent);
    case "object": return object(schema, indent);
    default: return "unknown";
  }
}

function type(schema, indent = "") {
  if (schema === true || schema === undefined || schema === false) return "unknown";
  const parts = [];
  if (schema.$ref) parts.push(nameOf(schema.$ref.split("/").pop()));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((it) => JSON.stringify(it)).join(" | ");
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) parts.push(`(${union(alternatives, indent)})`);
  if (schema.allOf) parts.push(...schema.allOf.map((it) => type(it, indent)));
  if (schema.properties && parts.length > 0) parts.unshift(object(schema, indent));
  if (parts.length > 0) return parts.join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((it) => plain(schema, it, indent)).join(" | ");
  return plain(schema, schema.type, indent);
}

function module(definitions, source) {
  const names = Object.keys(definitions).sort();
  const body = names.map((name) => `${comment(definitions[name], "")}export type ${nameOf(name)} = ${type(definitions[name])};`);
  return `// Made from ${source} by \`npm run types\`: do not edit.\n\n${body.join("\n\n")}\n`;
}

function outputs() {
  const events = JSON.parse(readFileSync(join(docs, "events.schema.json"), "utf8"));
  const made = [["src/api/events.ts", module({ ...events.$defs, JournalRecord: events }, "docs/events.schema.json")]];
  const description = join(root, "src", "api", "openapi.json");
  if (existsSync(description)) {
    const api = JSON.parse(readFileSync(description, "utf8"));
    made.push(["src/api/openapi.ts", module(api.components?.schemas ?? {}, "web/src/api/openapi.json")]);
  }
  return made;
}

const check = process.argv.includes("--check");
for (const [name, text] of outputs()) {
  const path = join(root, name);
  if (!check) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    console.error(`web/${name} is older than its source: run \`npm run types\` in web/`);
    process.exitCode = 1;
  }
}
