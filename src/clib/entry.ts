import type { ScalarValue } from "../ir/scalarValue.ts";
import type { Term } from "../logic/term.ts";
import type { ErrnoName } from "./errno.ts";
import type { Host } from "./host.ts";
import type { MemoryUse } from "./memoryUse.ts";
import type { SymbolicCall } from "./symbolicCall.ts";

/** One function of the C library: all that Tracefold knows of it. */
export type Entry = OperationEntry | SourceEntry | EndingEntry | InputEntry | UnsupportedEntry;

type Declared = {
  /** As C declares it. The parameters of an operation have names, by which the rest of the entry speaks of them. */
  readonly prototype: string;
  /** The header that declares it; null where none does. */
  readonly header: string | null;
};

/** A call is one operation of the program model. */
export type OperationEntry = Declared & {
  readonly kind: "operation";
  readonly memory: readonly MemoryUse[];
  /** What it sets `errno` to, and when. */
  readonly errno: Partial<Readonly<Record<ErrnoName, string>>>;
  /**
   * Where the result, and what is written, come from.
   * - `environment`: from outside of the program (input, random numbers).
   * - `determined`: from the arguments and the memory that it reads.
   */
  readonly source: "environment" | "determined";
  /** The parameter that it returns, if it does. */
  readonly returns: string | null;
  readonly allocates: Allocation | null;
  /**
   * What a call does. Arguments are canonical values of the types that the call passes, the result is one of the
   * function's own type.
   */
  readonly run: (host: Host, ...args: never[]) => ScalarValue | undefined;
  /** What it writes, in terms, where `memory` does not say it; false where that is not known. */
  readonly effect: ((call: SymbolicCall, ...args: never[]) => boolean) | null;
  /** What it returns, in terms; null where that is not known. */
  readonly value: ((call: SymbolicCall, ...args: never[]) => Term | null) | null;
};

/** The block that a call gives the program; null where there is no room. */
export type Allocation = {
  /** It has as many bytes as the product of these parameters, or is a copy of a string, with `atMost` characters. */
  readonly size:
    | { readonly kind: "bytes"; readonly factors: readonly string[] }
    | { readonly kind: "copyOf"; readonly string: string; readonly atMost: string | null };
  readonly life: "heap" | "stack";
  readonly zeroed: boolean;
  /** The parameter that points to the block whose bytes it takes over. */
  readonly replaces: string | null;
};

/** Calls back into the program, so that it is C like the rest of the program. */
export type SourceEntry = Declared & { readonly kind: "source" };

/** Ends the run. */
export type EndingEntry = Declared & { readonly kind: "ending"; readonly reason: "abort" | "exit" };

/** Its result is an input of the program. */
export type InputEntry = Declared & { readonly kind: "input" };

/** Declared, so that programs can be read; a call that can be reached is refused. */
export type UnsupportedEntry = Declared & { readonly kind: "unsupported"; readonly reason: string | null };

type Defaulted = "memory" | "errno" | "source" | "returns" | "allocates" | "effect" | "value" | "kind" | "header";

/** An operation of a header; what is left out is none. */
export function operations(header: string | null): (entry: OperationFields) => OperationEntry {
  return (entry) => ({
    kind: "operation",
    header,
    memory: [],
    errno: {},
    source: "determined",
    returns: null,
    allocates: null,
    effect: null,
    value: null,
    ...entry,
  });
}

export type OperationFields = Omit<OperationEntry, Defaulted> & Partial<Pick<OperationEntry, Defaulted>>;
