import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { TracefoldError } from "../../base/errors.ts";
import { readGiven } from "../../base/files.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { malformed as malformedYaml, openYaml, type YamlNode } from "../../interop/witness/yamlNode.ts";
import type { BatchTask } from "../task.ts";
import { nameOfPath, type TaskSettings } from "./taskSettings.ts";

const kind = "task definition";

const malformed = (range: SourceRange, message: string) => malformedYaml(range, message, kind);

/** The tasks of a BenchExec task definition (format 1.0 and 2.x): one for each property that a command decides. */
export function tasksOfDefinition(path: string, settings: TaskSettings): readonly BatchTask[] {
  const command = settings.command ?? "verify";
  const definition = openYaml(readGiven("batch", path), path, kind);
  const version = definition.field("format_version");
  if (!/^[12](\.\d+)?$/.test(version.text())) throw malformed(version.range, `there is no format ${version.text()}`);
  const folder = resolve(dirname(path));
  const input = definition.field("input_files");
  const files = input.kind === "list" ? input.items().map((each) => each.text()) : [input.text()];
  const missing = files.find((file) => !existsSync(join(folder, file)));
  if (missing !== undefined) throw malformed(input.range, `${missing}: there is no such file`);
  const model = definition.optional("options")?.optional("data_model");
  if (model !== undefined && model !== null && !["ILP32", "LP64"].includes(model.text()))
    throw malformed(model.range, `data_model is ILP32 or LP64, not ${model.text()}`);
  const words = [...files, ...(model ? ["--data-model", model.text()] : []), ...settings.options];
  const name = nameOfPath(path);
  const common = { command, arguments: [], folder } as const;
  const given = command === "verify" ? (definition.optional("properties")?.items() ?? []) : [];
  if (given.length === 0) return [{ ...common, name, words, expected: null, definition: { path, property: null } }];
  const decided = given.flatMap((each) => propertyOf(each, folder) ?? []);
  if (decided.length === 0)
    throw new TracefoldError({
      code: "TF100",
      message: `${path}: none of its properties is one that verify decides`,
      help: "These are unreach-call and no-overflow.",
    });
  return decided.map(({ property, file, expected }) => ({
    ...common,
    name: given.length === 1 ? name : `${name} ${file}`,
    words: [...words, ...(settings.options.includes("--property") ? [] : ["--property", property])],
    expected,
    definition: { path, property: propertyNames[property] },
  }));
}

/** As SV-COMP calls the properties of verify. */
const propertyNames = { assert: "unreach-call", overflow: "no-overflow" } as const;

type DecidedProperty = {
  readonly property: keyof typeof propertyNames;
  readonly file: string;
  readonly expected: "safe" | "unsafe" | null;
};

/** null for a property that no command decides, such as termination. */
function propertyOf(node: YamlNode, folder: string): DecidedProperty | null {
  const at = node.field("property_file");
  const path = join(folder, at.text());
  if (!existsSync(path)) throw malformed(at.range, `${at.text()}: there is no such file`);
  const text = readGiven("batch", path);
  const property = /LTL\(\s*G\s*!\s*call\(/.test(text)
    ? "assert"
    : /LTL\(\s*G\s*!\s*overflow\s*\)/.test(text)
      ? "overflow"
      : null;
  if (property === null) return null;
  const verdict = node.optional("expected_verdict");
  if (verdict !== null && !["true", "false"].includes(verdict.text()))
    throw malformed(verdict.range, `expected_verdict is true or false, not ${verdict.text()}`);
  const expected = verdict === null ? null : verdict.text() === "true" ? "safe" : "unsafe";
  return { property, file: at.text().replace(/^.*\/|\.prp$/g, ""), expected };
}
