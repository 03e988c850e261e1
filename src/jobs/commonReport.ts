import type { SourceRange } from "../base/sourceRange.ts";

/** What the JSON output of every command shares (`schema/common.schema.json`). */
export type CommonReport = {
  readonly schema: 1 | 2;
  readonly tool: { readonly name: "tracefold"; readonly version: string };
  readonly command: string;
  readonly status: "ok" | "failed" | "unknown";
  readonly program: {
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
    readonly entry: string;
  };
  /** `asked`: the user asked why it holds; otherwise it is why the run fails. */
  readonly target: {
    readonly formula: string;
    readonly location: SourceRange;
    readonly asked?: boolean;
    readonly visit?: { readonly number: number; readonly of: number };
  } | null;
  readonly notes: readonly { readonly message: string; readonly location: SourceRange }[];
  readonly stats: { readonly ms: number; readonly solver: { readonly queries: number; readonly ms: number } };
  readonly unknowns: readonly Unknown[];
};

export type Unknown = { readonly reason: string; readonly where: SourceRange | null; readonly help: string };

/** Integers beyond 2^53 are strings, and so are infinities and NaN, which JSON cannot say. */
export type JsonNumber = number | string;

export function jsonNumber(value: bigint | number): JsonNumber {
  if (typeof value === "number") return Number.isFinite(value) ? value : `${value}`;
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : `${value}`;
}
