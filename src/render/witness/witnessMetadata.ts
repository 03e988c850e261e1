import { createHash } from "node:crypto";
import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import type { SourceOutline } from "../../c/outline.ts";
import type { Formula } from "../../commands/common/result.ts";
import type { ArgumentStep, Explanation } from "../../commands/explain/result.ts";

export type WitnessOptions = {
  /** What is known of a source file's statements, loops and names, or null. */
  readonly outline: (path: string) => SourceOutline | null;
  /** ISO 8601; the beginning of 1970 by default, so that the same report gives the same witness. */
  readonly creationTime?: string;
  /** The property that the run violates, in the notation of SV-COMP; by default told from how the run ends. */
  readonly specification?: string;
};

/** Texts are quoted where a reader of YAML 1.1 would take them for a date or number. */
export const yamlOptions = { schema: "yaml-1.1" } as const;

/** A report that a witness is made of. */
export type Witnessed = Pick<Explanation, "tool" | "program" | "dataModel" | "stats">;

/** An entry's `metadata`. The identifier is made from the report: same report, same identifier. */
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
    creation_time: options.creationTime ?? "1970-01-01T00:00:00Z",
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

/** The property that the explained run violates, unless another one is given. */
export function withSpecification(report: Explanation, options: WitnessOptions) {
  return { ...options, specification: options.specification ?? specificationOf(report) };
}

/** Headers are not inputs of a verification task. */
function inputFiles({ program: { files } }: Witnessed): Explanation["program"]["files"] {
  const sources = files.filter(({ path }) => !/\.h$/i.test(path));
  return sources.length > 0 ? sources : files;
}

/** A name-based UUID (version 5) of the report, times left out. */
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
export function specificationOf(report: Explanation): string {
  return `CHECK( init(${report.program.entry}()), LTL(G ${violated(report)}) )`;
}

/** Of the argument, where there is one. */
export function stepsOf(report: Explanation): readonly ArgumentStep[] {
  return report.kind === "explained" ? (report.argument?.steps ?? []) : [];
}

function violated(report: Explanation): string {
  const { outcome } = report;
  const last = stepsOf(report).at(-1);
  switch (outcome.kind) {
    case "error-location": {
      const name = outcome.error ?? "reach_error";
      return name === "ERROR" ? "! label(ERROR)" : `! call(${name}())`;
    }
    case "assertion":
      return assertsWithReachError(last?.kind === "target" ? last : null)
        ? "! call(reach_error())"
        : "! call(__assert_fail())";
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

/** The SV-COMP way of asserting, a function of the program that calls `reach_error`. */
export function assertsWithReachError(step: ArgumentStep | null): boolean {
  return step !== null && step.kind === "target" && /^__VERIFIER_assert\b/.test(step.text);
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

/** Formulas as one expression of C; null where C cannot say one of them. */
export function cConjunction(formulas: readonly Formula[]): string | null {
  const parts: string[] = [];
  for (const { c, tight } of formulas) {
    if (c === null) return null;
    parts.push(tight || formulas.length === 1 ? c : `(${c})`);
  }
  return parts.join(" && ") || "1";
}

/** The names of the variables that they are about, each once. */
export function namesIn(formulas: readonly Formula[]): readonly string[] {
  return [...new Set(formulas.flatMap(({ variables }) => variables.flatMap(({ name }) => name ?? [])))];
}
