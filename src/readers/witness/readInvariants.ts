import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { oneOf, readTask, type WitnessTask } from "./readTask.ts";
import { openYaml, type YamlNode } from "./yamlNode.ts";

/** What a correctness witness says: conditions at loops and statements. */
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
  /** Where the witness says it. */
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
