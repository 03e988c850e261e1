import { createHash } from "node:crypto";
import { nth, present } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import type { SourceOutline } from "../../c/outline.ts";
import type { Formula } from "../../commands/common/result.ts";
import type { ArgumentStep, Explanation } from "../../commands/explain/result.ts";
import type { RunOutcome } from "../../commands/run/result.ts";
import { placesInSource } from "./placesInSource.ts";

export type WitnessOptions = {
  /** The statements, loops and names of a source file, or null. */
  readonly outline: (path: string) => SourceOutline | null;
  /** The violated property in SV-COMP notation; by default it follows from the outcome. */
  readonly specification?: string;
};

/** Texts that YAML 1.1 would read as a date or number are quoted. */
export const yamlOptions = { schema: "yaml-1.1" } as const;

export type Witnessed = Pick<Explanation, "tool" | "program" | "dataModel" | "stats">;

/** The `metadata` of an entry. Equal reports have equal identifiers. */
export function witnessMetadata(
  report: Witnessed,
  entryType: string,
  options: WitnessOptions & { readonly specification: string },
  description?: string,
) {
  const files = inputFiles(report);
  return {
    format_version: "2.0",
    uuid: uuidOf(report, entryType),
    // Equal reports give equal witnesses.
    creation_time: "1970-01-01T00:00:00Z",
    producer: {
      name: "Tracefold",
      version: report.tool.version,
      ...(description === undefined ? {} : { description }),
    },
    task: {
      input_files: files.map(({ path }) => path),
      input_file_hashes: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])),
      specification: options.specification,
      data_model: report.dataModel,
      language: "C",
    },
  };
}

export function withSpecification(report: Explanation, options: WitnessOptions) {
  return { ...options, specification: options.specification ?? specificationOf(report, options) };
}

/** Headers are not inputs of a verification task. */
function inputFiles({ program: { files } }: Witnessed): Explanation["program"]["files"] {
  const sources = files.filter(({ path }) => !/\.h$/i.test(path));
  return sources.length > 0 ? sources : files;
}

/** A name-based UUID (version 5) of the report without its times. */
function uuidOf(report: Witnessed, entryType: string): string {
  const { stats: _, ...lasting } = report;
  const namespace = Buffer.from("6b0d8a0c5f4e5d0f9a3c6e1c7f2d4b18", "hex");
  const hash = createHash("sha1").update(namespace).update(entryType).update(JSON.stringify(lasting)).digest();
  hash[6] = (nth(hash, 6) & 0x0f) | 0x50;
  hash[8] = (nth(hash, 8) & 0x3f) | 0x80;
  const hex = hash.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** The property that the run violates. */
export function specificationOf(report: Explanation, options: WitnessOptions): string {
  return `CHECK( init(${report.program.entry}()), LTL(G ${violated(report, options)}) )`;
}

export function stepsOf(report: Explanation): readonly ArgumentStep[] {
  return report.kind === "explained" ? (report.argument?.steps ?? []) : [];
}

function violated({ outcome }: Explanation, options: WitnessOptions): string {
  switch (outcome.kind) {
    case "error-location": {
      const name = outcome.error ?? "reach_error";
      return name === "ERROR" ? "! label(ERROR)" : `! call(${name}())`;
    }
    case "assertion":
      return assertsWithReachError(outcome, options) ? "! call(reach_error())" : "! call(__assert_fail())";
    case "abort":
      return "! call(abort())";
    case "undefined-behaviour":
      return violatedByBehaviour(outcome.behaviour ?? "");
    case "wrong-output":
    case "wrong-exit":
    case "exit":
    case "assumption":
    case "limit":
      return "! call(reach_error())";
    default:
      return assertNever(outcome.kind);
  }
}

/** True for the SV-COMP style of assertion: a function of the program that calls `reach_error`. */
export function assertsWithReachError({ kind, location }: RunOutcome, { outline }: WitnessOptions): boolean {
  const source = kind === "assertion" && location !== null ? outline(location.file) : null;
  return source !== null && placesInSource(source).callsIn(present(location)).includes("__VERIFIER_assert");
}

function violatedByBehaviour(behaviour: string): string {
  switch (behaviour) {
    case "signed-overflow":
      return "! overflow";
    case "double-free":
    case "invalid-free":
      return "valid-free";
    case "out-of-bounds-read":
    case "out-of-bounds-write":
    case "null-dereference":
    case "invalid-pointer":
    case "use-after-free":
    case "use-after-scope":
      return "valid-deref";
    default:
      return "def-behavior";
  }
}

/** Joins formulas to one C expression; null if one has no C form. */
export function cConjunction(formulas: readonly Formula[]): string | null {
  const parts: string[] = [];
  for (const { c, tight } of formulas) {
    if (c === null) return null;
    parts.push(tight || formulas.length === 1 ? c : `(${c})`);
  }
  return parts.join(" && ") || "1";
}

export function namesIn(formulas: readonly Formula[]): readonly string[] {
  return [...new Set(formulas.flatMap(({ variables }) => variables.flatMap(({ name }) => name ?? [])))];
}
