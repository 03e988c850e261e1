import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Program } from "../../ir/program.ts";
import { openYaml, type YamlNode } from "./yamlNode.ts";

/** The contents of a correctness witness: conditions at loops and statements. */
export type InvariantWitness = WitnessTask & {
  readonly invariants: readonly WitnessInvariant[];
};

export type WitnessInvariant = {
  readonly kind: "loop" | "statement";
  readonly location: {
    readonly file: string;
    readonly line: number;
    readonly column: number | null;
    readonly function: string | null;
  };
  readonly value: string;
  /** Its place in the witness. */
  readonly at: SourceRange;
};

const types = ["loop_invariant", "location_invariant"] as const;

/** Reads all invariant sets of a witness; everything that is wrong with it is an error with its place. */
export function readInvariants(text: string, file: string): InvariantWitness {
  const entries = openYaml(text, file);
  if (entries.kind !== "list") throw notAWitness(entries, "a witness is a list of entries");
  const sets = entries.items().filter((entry) => entry.field("entry_type").text() === "invariant_set");
  const [first] = sets;
  if (first === undefined) throw notAWitness(entries, "there is no entry of type invariant_set");
  const task = readTask(first, (node, message, help) => notAWitness(node, message, help));
  const content = sets.map((entry) => entry.field("content"));
  return {
    ...task,
    invariants: content.flatMap((node) => node.items().map((item) => readOne(item.field("invariant")))),
  };
}

function readOne(node: YamlNode): WitnessInvariant {
  const location = node.field("location");
  const format = node.optional("format");
  if (format !== null) oneOf(format, ["c_expression"], "a format of invariants that is read");
  const value = node.field("value");
  return {
    kind: oneOf(node.field("type"), types, "a type of invariant") === "loop_invariant" ? "loop" : "statement",
    location: {
      file: location.field("file_name").text(),
      line: location.field("line").positive(),
      column: location.optional("column")?.positive() ?? null,
      function: location.optional("function")?.text() ?? null,
    },
    value: value.text(),
    at: value.range,
  };
}

function notAWitness(node: YamlNode, message: string, help?: string): TracefoldError {
  return new TracefoldError({
    code: "TF195",
    message: `not a correctness witness: ${message}`,
    range: node.range,
    help: help ?? "A witness of format 2.0 (YAML) with an invariant_set is needed.",
  });
}

/** The metadata of a witness: its producer and its program. */
export type WitnessTask = {
  readonly producer: string;
  readonly specification: string;
  readonly dataModel: "ILP32" | "LP64";
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly hashesAt: SourceRange;
};

const dataModels = ["ILP32", "LP64"] as const;

/** The metadata of an entry; `notAWitness` makes the error for another version of the format. */
export function readTask(
  entry: YamlNode,
  notAWitness: (node: YamlNode, message: string, help: string) => TracefoldError,
): WitnessTask {
  const metadata = entry.field("metadata");
  const version = metadata.field("format_version");
  if (!/^2(\.\d+)?$/.test(version.text())) {
    throw notAWitness(version, `version ${version.text()} of the format is not supported`, "Versions 2.x are.");
  }
  const producer = metadata.optional("producer");
  const task = metadata.field("task");
  const hashes = task.field("input_file_hashes");
  return {
    producer: [producer?.optional("name")?.text(), producer?.optional("version")?.text()].filter(Boolean).join(" "),
    specification: task.field("specification").text().trim(),
    dataModel: oneOf(task.field("data_model"), dataModels, "a data model"),
    files: hashes.entries().map(([path, hash]) => ({ path, sha256: sha256(hash) })),
    hashesAt: hashes.range,
  };
}

export function oneOf<T extends string>(node: YamlNode, values: readonly T[], what: string): T {
  const text = node.text() as T;
  if (values.includes(text)) return text;
  throw malformed(node, `${text} is not ${what}: ${values.join(" or ")}`);
}

export function malformed(node: YamlNode, message: string): TracefoldError {
  return new TracefoldError({ code: "TF196", message: `malformed witness: ${message}`, range: node.range });
}

function sha256(node: YamlNode): string {
  const text = node.text().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw malformed(node, "this is not a SHA-256 hash");
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
    const same = files.find((file) => baseName(file.path) === baseName(about));
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

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
