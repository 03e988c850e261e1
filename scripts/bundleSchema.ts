import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** All schemas of `schema/` in one, for tools that want one file: `npm run schema` writes it. */
const folder = new URL("../schema/", import.meta.url);
const bundle = "tracefold.schema.json";

/** Outputs of commands; the others are parts of them. */
const parts = ["common", "proof"];

export function bundledSchema(): string {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".schema.json") && name !== bundle)
    .map((name) => name.replace(".schema.json", ""))
    .sort();
  const read = (name: string) => JSON.parse(readFileSync(new URL(`${name}.schema.json`, folder), "utf8"));
  const schemas = names.map((name) => [name, within(name, read(name))]);
  const all = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `tracefold/${bundle}`,
    title: "What tracefold prints with --format json",
    oneOf: names.filter((name) => !parts.includes(name)).map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(schemas),
  };
  return `${JSON.stringify(all, null, 1)}\n`;
}

/** A schema as a part of the bundle: what it refers to is in there, too. */
function within(name: string, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((part) => within(name, part));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]) => {
    if (key === "$id" || key === "$schema") return [];
    return [[key, key === "$ref" && typeof value === "string" ? reference(name, value) : within(name, value)]];
  });
  return Object.fromEntries(entries);
}

/** `run.schema.json#/$defs/outcome` is `#/$defs/run/$defs/outcome`. */
function reference(name: string, text: string): string {
  const [file, place = ""] = text.split("#");
  return `#/$defs/${file === "" ? name : file!.replace(".schema.json", "")}${place}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL(bundle, folder), bundledSchema());
