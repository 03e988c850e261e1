import { nth } from "../base/checked.ts";
import { remembered } from "../base/memo.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { controlFlowOf, reachableFrom } from "../ir/controlFlow.ts";
import { type Expression, expressionOperands } from "../ir/expression.ts";
import { type Operation, operationExpressions, type UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge, Function, LocationId, Program } from "../ir/program.ts";
import type { Term } from "../logic/term.ts";
import { axiomsFor } from "../symbolic/createProver.ts";
import { at, calleesOf, functionsLeadingTo, type InlinedNode, isCallEdge } from "../symbolic/followEdge.ts";
import type { Symbols } from "../symbolic/symbols.ts";

/**
 * One implication that a proof rests on: whatever satisfies the hypotheses satisfies the conclusion. All variables are
 * universal. A Hoare triple is one: its hypotheses are the precondition and the statements, as equations between the
 * values before and after. Proofs of `compress`, `explain` and `verify` are lists of these.
 */
export type Obligation = {
  readonly kind: ObligationKind;
  /** Unique in its proof: `loop1-entry`, `loop1-body-3`, `target`. */
  readonly name: string;
  /** For a reader: `{ j >= i } i = i + 1; j = j + 2 { j >= i }` in source syntax, or a sentence. */
  readonly text: string;
  /** Null: it is about no single place. */
  readonly range: SourceRange | null;
  readonly hypotheses: readonly Term[];
  readonly conclusion: Term;
  /** Which of the proof's folded loops it is about, from 0. */
  readonly fold?: number;
  /**
   * The recorded run satisfies the hypotheses of this obligation, or of at least one of those with the same name here.
   * If they contradict each other, the obligation says nothing, and it is no proof.
   */
  readonly witnessed?: string;
  /**
   * Something on the way here is taken as unknown although the run knows it. The obligation may hold without that, so a
   * counterexample says nothing.
   */
  readonly isInexact?: boolean;
};

/**
 * - `entry`: runs come to a cut point with what is claimed there;
 * - `keeps`: code between cut points carries the claims on;
 * - `exit`: a way out of a loop leads to what is claimed behind it;
 * - `defined`: an operation does nothing undefined, and a loop is left as on the recorded run;
 * - `ends`: a way round makes the rank of a loop smaller;
 * - `target`: the target follows, or no error is reached.
 */
export type ObligationKind = "entry" | "keeps" | "exit" | "defined" | "ends" | "target";

/** Adds what holds of every variable by its type, so that the obligation stands alone. */
export function closeObligation(symbols: Symbols, obligation: Obligation): Obligation {
  const axioms = axiomsFor(symbols, [...obligation.hypotheses, obligation.conclusion], new Set());
  return { ...obligation, hypotheses: [...axioms, ...obligation.hypotheses] };
}

/** A property that all runs must have. */
export const properties = ["assert", "overflow", "bounds", "null", "div-by-zero", "uninitialised", "all"] as const;
export type Property = (typeof properties)[number];

const behaviours: Record<Exclude<Property, "assert" | "all">, readonly UndefinedBehaviour[]> = {
  overflow: ["signed-overflow"],
  bounds: ["out-of-bounds-read", "out-of-bounds-write", "index-out-of-bounds"],
  null: ["null-dereference"],
  "div-by-zero": ["division-by-zero"],
  uninitialised: ["uninitialised-read"],
};

/** Undefined behaviour that is an error; any other ends a run, and a verdict says where that was assumed not to happen. */
export function behavioursOf(property: Property): ReadonlySet<UndefinedBehaviour> {
  if (property === "assert") return new Set();
  if (property === "all") return new Set(Object.values(behaviours).flat());
  return new Set(behaviours[property]);
}

/**
 * What happens when the result of signed arithmetic does not fit its type: the run ends, the result wraps, or it fits because
 * types of the size of `int` and larger hold every integer. Conversions are those of C.
 */
export const arithmeticModes = ["stop", "wrap", "unbounded"] as const;
export type ArithmeticMode = (typeof arithmeticModes)[number];

/** The question about a program: what is an error, and how its numbers work (by default `stop`). */
export type Question = { readonly property: Property; readonly arithmetic?: ArithmeticMode | undefined };

/** Does the overflow of signed arithmetic wrap in a concrete run? Runs cannot have numbers without bounds: they end. */
export function overflowIn({ arithmetic }: Pick<Question, "arithmetic">): "stop" | "wrap" {
  return arithmetic === "wrap" ? "wrap" : "stop";
}

/** Undefined results of arithmetic: runs that have one say nothing against runs that have none. */
export const arithmeticBehaviours: ReadonlySet<string> = new Set<UndefinedBehaviour>(["signed-overflow", "bad-shift"]);

/** Is this end of a run an error? `abort` is how programs end runs that they do not want to be looked at. */
export function isErrorEnd(property: Property, operation: Operation & { kind: "fail" }): boolean {
  if (property !== "assert" && property !== "all") return false;
  return operation.reason === "assertion" || operation.reason === "error-location";
}

/** Code from which no error can be reached need not be encoded: a run that comes there is safe. */
export type ErrorReach = {
  reaches(node: InlinedNode): boolean;
  /** Can an error be reached in the function or in what it calls? */
  mayFail(fn: Function): boolean;
};

export function errorReach(program: Program, property: Property): ErrorReach {
  const isUndefinedAnError = behavioursOf(property).size > 0;
  const isErrorEdge = ({ operation }: Edge): boolean =>
    operation.kind === "fail"
      ? isErrorEnd(property, operation)
      : isUndefinedAnError &&
        (touchesMemory.has(operation.kind) || operationExpressions(operation).some(mayBeUndefined));
  const failing = functionsLeadingTo(
    program,
    program.functions.filter(({ edges }) => edges.some(isErrorEdge)),
  );
  const leads = (edge: Edge) =>
    isErrorEdge(edge) || (isCallEdge(edge) && calleesOf(program, edge).some((callee) => failing.has(callee)));
  const errors = new Map<Function, ReadonlySet<LocationId>>();
  const returns = new Map<Function, ReadonlySet<LocationId>>();
  const reaches = (node: InlinedNode): boolean => {
    const fn = node.function;
    if (remembered(errors, fn, () => backwards(fn, leads)).has(node.location)) return true;
    const { context } = node;
    // The initialiser goes on with the program.
    if (context === null) return fn.id === program.initializer && program.initializer !== program.entry;
    const canReturn = remembered(returns, fn, () => backwards(fn, ({ operation }) => operation.kind === "return"));
    return canReturn.has(node.location) && reaches(at(context.caller, context.edge.to));
  };
  return { reaches, mayFail: (fn) => failing.has(fn) };
}

const touchesMemory: ReadonlySet<Operation["kind"]> = new Set(["store", "copy", "callLibrary"]);

/** Locations from which an edge of that kind can be reached. */
function backwards(fn: Function, isWanted: (edge: Edge) => boolean): ReadonlySet<LocationId> {
  const { incoming } = controlFlowOf(fn);
  const starts = fn.edges.filter(isWanted).map((edge) => edge.from);
  return reachableFrom(starts, (location) => nth(incoming, location).map((edge) => edge.from));
}

function mayBeUndefined(expression: Expression): boolean {
  if (expression.kind === "load" || expression.kind === "binary" || expression.kind === "unary") return true;
  if (expression.kind === "variable" || expression.kind === "offset") return true;
  return expressionOperands(expression).some(mayBeUndefined);
}
