import { assertNever, type ErrorDetails } from "../base/errors.ts";
import { type Expression, subexpressions } from "./expression.ts";
import type { FunctionId, VariableId } from "./program.ts";
import type { BitField, ScalarType } from "./type.ts";

/**
 * The operation of an edge. A location has either one outgoing edge of any kind but `assume` and `case`, or two
 * complementary `assume`s, or the `case`s of one switch, which are disjoint and cover every value. `checkProgram`
 * verifies this.
 */
export type Operation =
  | Assign
  | Store
  | CopyMemory
  | Assume
  | Case
  | Declare
  | Input
  | Call
  | CallLibrary
  | Return
  | Fail
  | Skip;

/** `target = value`; the target is a register and `value` has its type. */
export type Assign = { readonly kind: "assign"; readonly target: VariableId; readonly value: Expression };

export type Store = {
  readonly kind: "store";
  readonly type: ScalarType;
  readonly address: Expression;
  readonly value: Expression;
  readonly bitField?: BitField;
};

/** Struct assignment: `size` bytes, equal or disjoint ranges. Uninitialised bytes stay so. */
export type CopyMemory = {
  readonly kind: "copy";
  readonly to: Expression;
  readonly from: Expression;
  readonly size: number;
};

/**
 * A decided branch: taken if `condition` (of any scalar type) is non-zero, or zero if `negated`. Both edges share the
 * same `condition` object. `origin`: `assert` guards a `fail`; `assumption` is `__VERIFIER_assume`, whose negated edge
 * leads to a `fail` of kind `assumption`, which ends the run without an error; `jump` asks whether a call was left by
 * `longjmp`, and where the jump goes on.
 */
export type Assume = {
  readonly kind: "assume";
  readonly condition: Expression;
  readonly negated: boolean;
  readonly origin: "branch" | "loop" | "shortCircuit" | "conditional" | "assert" | "assumption" | "jump";
};

/** One exit of a switch: `selector` is in an interval of `values`, or (null, the default) in none of `others`. */
export type Case = {
  readonly kind: "case";
  readonly selector: Expression;
  readonly values: readonly (readonly [bigint, bigint])[] | null;
  readonly others: readonly (readonly [bigint, bigint])[];
};

/**
 * The declaration of a local variable is reached: its value becomes indeterminate. `length` is the number of elements
 * of a variable-length array (undefined unless positive), `elementSize` is in bytes.
 */
export type Declare = {
  readonly kind: "declare";
  readonly variable: VariableId;
  readonly variableLength?: { readonly length: Expression; readonly elementSize: number };
};

/**
 * A nondeterministic read of any value of the target's type (within `within`, if the source promises an interval). The
 * trace records the value. `source` names it: `__VERIFIER_nondet_int`, an undefined function, or an uninitialised
 * variable taken as an input.
 */
export type Input = {
  readonly kind: "input";
  readonly target: VariableId;
  readonly type: ScalarType;
  readonly source: string;
  /** In a program made from a recording: the index of the log's planned read. */
  readonly plan?: number;
  readonly within?: readonly [bigint, bigint];
  /** The result of a library function that is not supported: the real function may never give this value. */
  readonly isInvented?: true;
};

/** A call of a function with a body, or through a pointer. Arguments have the parameters' types. */
export type Call = {
  readonly kind: "call";
  readonly callee:
    | { readonly kind: "direct"; readonly function: FunctionId }
    | { readonly kind: "pointer"; readonly pointer: Expression };
  readonly arguments: readonly Expression[];
  readonly target: VariableId | null;
};

/**
 * A call of a function of the C library's table (`src/c/library/`), with promoted variadic arguments. Never one with
 * control flow: `exit`, `abort` and `assert` are `fail`s, nondeterministic reads are `input`s.
 */
export type CallLibrary = {
  readonly kind: "callLibrary";
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly target: VariableId | null;
};

/** Leaves the function for its exit location. A struct result was stored through a hidden parameter. */
export type Return = { readonly kind: "return"; readonly value: Expression | null };

/**
 * The run ends here; the edge leads to the function's exit location but never arrives. - `assertion`: a false `assert`
 * or `__VERIFIER_assert`; `text` is its condition as written. - `error-location`: `reach_error`, `__VERIFIER_error`, a
 * label `ERROR`; `text` is its name. - `abort`: `abort()` and the like. - `assumption`: a false `__VERIFIER_assume`:
 * the run is not one of the program's. - `exit`: `exit(code)`, not an error. - `unsupported`: what stands there is not
 * known; `refusal` is the error of a run that comes here.
 */
export type Fail = {
  readonly kind: "fail";
  readonly reason: "assertion" | "error-location" | "abort" | "assumption" | "exit" | "unsupported";
  readonly text: string;
  readonly refusal?: Pick<ErrorDetails, "code" | "help">;
  /** The number of the violated condition of a witness. */
  readonly stated?: number;
  /** A failed check: of a unit-test framework, or one that the exit status tells. */
  readonly check?: "framework" | "status";
  readonly code: Expression | null;
};

/** No effect. Kept only if a cycle would otherwise have no edge (`for (;;);`). */
export type Skip = { readonly kind: "skip" };

/** The expressions that an operation evaluates, in order. */
export function operationExpressions(operation: Operation): readonly Expression[] {
  switch (operation.kind) {
    case "assign":
      return [operation.value];
    case "store":
      return [operation.address, operation.value];
    case "copy":
      return [operation.to, operation.from];
    case "assume":
      return [operation.condition];
    case "case":
      return [operation.selector];
    case "declare":
      return operation.variableLength === undefined ? [] : [operation.variableLength.length];
    case "call":
      return operation.callee.kind === "pointer"
        ? [operation.callee.pointer, ...operation.arguments]
        : operation.arguments;
    case "callLibrary":
      return operation.arguments;
    case "return":
      return operation.value === null ? [] : [operation.value];
    case "fail":
      return operation.code === null ? [] : [operation.code];
    case "input":
    case "skip":
      return [];
    default:
      return assertNever(operation, "operation");
  }
}

/** The register that an operation writes, if any. */
export function writtenRegister(operation: Operation): VariableId | null {
  return "target" in operation ? operation.target : null;
}

/** All expressions in an operation, parts first. */
export function expressionsWithin(operation: Operation): readonly Expression[] {
  return operationExpressions(operation).flatMap(subexpressions);
}

export function mapExpressions(operation: Operation, map: (expression: Expression) => Expression): Operation {
  switch (operation.kind) {
    case "assign":
      return { ...operation, value: map(operation.value) };
    case "store":
      return { ...operation, address: map(operation.address), value: map(operation.value) };
    case "copy":
      return { ...operation, to: map(operation.to), from: map(operation.from) };
    case "assume":
      return { ...operation, condition: map(operation.condition) };
    case "case":
      return { ...operation, selector: map(operation.selector) };
    case "declare": {
      const { variableLength } = operation;
      if (variableLength === undefined) return operation;
      return { ...operation, variableLength: { ...variableLength, length: map(variableLength.length) } };
    }
    case "call": {
      const { callee } = operation;
      const called = callee.kind === "direct" ? callee : { ...callee, pointer: map(callee.pointer) };
      return { ...operation, callee: called, arguments: operation.arguments.map(map) };
    }
    case "callLibrary":
      return { ...operation, arguments: operation.arguments.map(map) };
    case "return":
      return operation.value === null ? operation : { ...operation, value: map(operation.value) };
    case "fail":
      return operation.code === null ? operation : { ...operation, code: map(operation.code) };
    case "input":
    case "skip":
      return operation;
    default:
      return assertNever(operation, "operation");
  }
}

/** Bookkeeping operations of the model: no experiment changes them. */
const quiet = new WeakSet<Operation>();

export function isQuiet(operation: Operation): boolean {
  return quiet.has(operation);
}

/** Kinds of undefined behaviour, named as in outcomes and obligations. */
export type UndefinedBehaviour =
  | "signed-overflow"
  | "division-by-zero"
  | "bad-shift"
  | "float-conversion"
  | "out-of-bounds-read"
  | "out-of-bounds-write"
  | "index-out-of-bounds"
  | "null-dereference"
  | "invalid-pointer"
  | "use-after-free"
  | "use-after-scope"
  | "double-free"
  | "invalid-free"
  | "misaligned-access"
  | "uninitialised-read"
  | "write-to-literal"
  | "bad-call"
  | "missing-return-value"
  | "invalid-value"
  | "pointer-arithmetic"
  | "pointer-comparison"
  | "overlapping-copy"
  | "array-length"
  | "library-argument"
  | "unreachable";
