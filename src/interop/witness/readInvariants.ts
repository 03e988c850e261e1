import { basename } from "node:path/win32";
import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Program } from "../../ir/program.ts";
import { malformed, openYaml, type YamlNode } from "./yamlNode.ts";

/** The contents of a correctness witness: conditions at loops and statements. */
export type InvariantWitness = WitnessTask & {
  readonly invariants: readonly WitnessInvariant[];
};

export type WitnessInvariant = {
  readonly kind: "loop" | "statement";
  readonly location: WitnessLocation;
  readonly value: string;
  /** Its place in the witness. */
  readonly at: SourceRange;
};

export type WitnessLocation = {
  readonly file: string;
  readonly line: number;
  readonly column: number | null;
  readonly function: string | null;
};

const types = ["loop_invariant", "location_invariant"] as const;

/** Reads all invariant sets of a witness; everything that is wrong with it is an error with its place. */
export function readInvariants(text: string, file: string): InvariantWitness {
  const { task, entries } = openWitness(text, file, "invariant_set");
  const content = entries.map((entry) => entry.field("content"));
  return {
    ...task,
    invariants: content.flatMap((node) => node.items().map((item) => readOne(item.field("invariant")))),
  };
}

function readOne(node: YamlNode): WitnessInvariant {
  const format = node.optional("format");
  if (format !== null) oneOf(format, ["c_expression"], "a format of invariants that is read");
  const value = node.field("value");
  return {
    kind: oneOf(node.field("type"), types, "a type of invariant") === "loop_invariant" ? "loop" : "statement",
    location: readLocation(node.field("location")),
    value: value.text(),
    at: value.range,
  };
}

export function readLocation(node: YamlNode): WitnessLocation {
  return {
    file: node.field("file_name").text(),
    line: node.field("line").positive(),
    column: node.optional("column")?.positive() ?? null,
    function: node.optional("function")?.text() ?? null,
  };
}

/** The metadata of a witness: its program. */
export type WitnessTask = {
  readonly specification: string;
  readonly dataModel: "ILP32" | "LP64";
  /** The files that the witness is about, by the names that its producer knew them by. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** The place of `input_file_hashes` in the witness. */
  readonly hashesAt: SourceRange;
};

const kinds = {
  invariant_set: { name: "correctness", entry: "an invariant_set" },
  violation_sequence: { name: "violation", entry: "a violation_sequence" },
} as const;

/** The entries of one type, at least one, and the task of the first. */
export function openWitness(
  text: string,
  file: string,
  type: keyof typeof kinds,
): { readonly task: WitnessTask; readonly entries: readonly [YamlNode, ...YamlNode[]] } {
  const { name, entry } = kinds[type];
  const notAWitness = (node: YamlNode, message: string, help?: string) =>
    new TracefoldError({
      code: "TF195",
      message: `not a ${name} witness: ${message}`,
      range: node.range,
      help: help ?? `A witness of format 2.0 (YAML) with ${entry} is needed.`,
    });
  const all = openYaml(text, file);
  if (all.kind !== "list") throw notAWitness(all, "a witness is a list of entries");
  const [first, ...others] = all.items().filter((each) => each.field("entry_type").text() === type);
  if (first === undefined) throw notAWitness(all, `there is no entry of type ${type}`);
  const version = first.field("metadata").field("format_version");
  if (!/^2(\.\d+)?$/.test(version.text())) {
    throw notAWitness(version, `version ${version.text()} of the format is not supported`, "Versions 2.x are.");
  }
  return { task: readTask(first.field("metadata").field("task")), entries: [first, ...others] };
}

const dataModels = ["ILP32", "LP64"] as const;

function readTask(task: YamlNode): WitnessTask {
  const hashes = task.field("input_file_hashes");
  return {
    specification: task.field("specification").text().trim(),
    dataModel: oneOf(task.field("data_model"), dataModels, "a data model"),
    files: hashes.entries().map(([path, hash]) => ({ path, sha256: sha256(hash) })),
    hashesAt: hashes.range,
  };
}

export function oneOf<T extends string>(node: YamlNode, values: readonly T[], what: string): T {
  const text = node.text() as T;
  if (values.includes(text)) return text;
  throw malformed(node.range, `${text} is not ${what}: ${values.join(" or ")}`);
}

function sha256(node: YamlNode): string {
  const text = node.text().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw malformed(node.range, "this is not a SHA-256 hash");
}

/**
 * A witness is about files with certain contents. Their paths may differ from ours, so a file is known by its hash, and by
 * its name only to say what is wrong.
 */
export function checkWitnessFiles(
  witness: WitnessTask,
  { files, dataModel }: Pick<Program, "files" | "dataModel">,
  path: string,
): void {
  if (witness.dataModel !== dataModel) {
    throw new TracefoldError({
      code: "TF138",
      message: `${path}: the witness is about the data model ${witness.dataModel}`,
      help: `Give --data-model ${witness.dataModel}.`,
    });
  }
  const ours = new Set(files.map(({ sha256 }) => sha256));
  for (const { path: about, sha256 } of witness.files) {
    if (ours.has(sha256)) continue;
    const same = files.find((file) => basename(file.path) === basename(about));
    throw new TracefoldError({
      code: "TF197",
      message:
        same === undefined
          ? `this witness is about another file: ${about}`
          : `this witness is about another version of ${same.path}: its SHA-256 is ${same.sha256}, not ${sha256}`,
      range: witness.hashesAt,
      help: "Give the file that the witness was made for, unchanged.",
    });
  }
}
