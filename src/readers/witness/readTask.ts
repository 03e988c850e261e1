import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { YamlNode } from "./yamlNode.ts";

/** What the metadata of a witness say: who made it, and about what. */
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
