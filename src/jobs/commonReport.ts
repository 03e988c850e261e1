import type { SourceRange } from "../base/sourceRange.ts";

/** The version of the JSON output of all commands. */
export const schemaVersion = 3;

/** What the JSON output of every command shares. */
export type ReportHead = {
  readonly schema: typeof schemaVersion;
  readonly tool: { readonly name: "tracefold"; readonly version: string };
  readonly command: string;
  readonly status: "ok" | "failed" | "unknown";
  readonly program: {
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
    readonly entry: string;
  };
  readonly notes: readonly { readonly message: string; readonly location: SourceRange }[];
  readonly stats: { readonly ms: number; readonly solver: { readonly queries: number; readonly ms: number } };
  readonly unknowns: readonly UnknownPart[];
};

export type CommonReport = ReportHead & {
  /** What the run, or the proof, is about. */
  readonly target: { readonly formula: string; readonly location: SourceRange } | null;
};

export type UnknownPart = { readonly reason: string; readonly where: SourceRange | null; readonly help: string };

/** Integers beyond 2^53 are strings, and so are infinities and NaN, which JSON cannot say. */
export type JsonNumber = number | string;

export function jsonNumber(value: bigint | number): JsonNumber {
  if (typeof value === "number") return Number.isFinite(value) ? value : `${value}`;
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : `${value}`;
}
