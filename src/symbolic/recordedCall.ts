import type { ScalarValue } from "../ir/scalarValue.ts";

/** What a library call did on a recorded run. */
export type RecordedCall = {
  /** undefined: it has none, or nobody takes it. */
  readonly result: ScalarValue | undefined;
  /** Where the result points, if it is a pointer and not null. */
  readonly pointsTo: RecordedPlace | null;
  /** What it wrote, in order; null where that is too much to keep. */
  readonly writes: readonly RecordedWrite[] | null;
  /** How often the number of the block that it returned was given to a block before. */
  readonly use: number;
};

export type RecordedWrite = RecordedPlace & { readonly bytes: Uint8Array };

/** Some bytes of a static variable, of a local one, or of a block. */
export type RecordedPlace = {
  readonly object:
    | { readonly kind: "static" | "local"; readonly variable: number }
    | { readonly kind: "block"; readonly number: number };
  readonly offset: number;
};
