/** What the front end made of one file. */
export type Verdict =
  | { readonly kind: "lowered"; readonly ms: number; readonly functions: number; readonly edges: number }
  /** An error of the user's: a code, what it says, and where. */
  | {
      readonly kind: "rejected";
      readonly ms: number;
      readonly code: string;
      readonly message: string;
      readonly place: string;
    }
  | { readonly kind: "crashed"; readonly ms: number; readonly message: string }
  | { readonly kind: "timeout"; readonly ms: number };

/** With `--run`: the same inputs given to our interpreter and to a gcc build. */
export type RunVerdict =
  | { readonly kind: "same"; readonly ms: number; readonly end: string; readonly decisions: number }
  | { readonly kind: "different"; readonly ms: number; readonly message: string }
  /** One of the two has nothing to compare: not lowered, rejected by gcc, endless, undefined behaviour that gcc misses. */
  | { readonly kind: "skipped"; readonly ms: number; readonly reason: string }
  | { readonly kind: "crashed"; readonly ms: number; readonly message: string }
  | { readonly kind: "timeout"; readonly ms: number };

/** The message without what differs from file to file: names and numbers. */
export function reasonOf(message: string): string {
  return message
    .split("\n")[0]!
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, "…")
    .replaceAll(/\b\d+\b/g, "N");
}
