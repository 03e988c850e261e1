import { nth } from "../../base/checked.ts";
import { libraryFunction } from "../../c/library/table.ts";
import { rootOfAddress } from "../../ir/dataFlow.ts";
import { type Expression, expressionOperands } from "../../ir/expression.ts";
import { type CallLibrary, type Operation, operationExpressions } from "../../ir/operation.ts";
import { completeSize, type ScalarType } from "../../ir/type.ts";
import { isTrue, type Term } from "../../logic/term.ts";
import { hasKnownArguments } from "../../symbolic/library/libraryCall.ts";
import { splitCases } from "../../symbolic/memory/resolveAddress.ts";
import { objectInAddress, type TranslationScope } from "../../symbolic/stepEnvironment.ts";
import { readAddress } from "../../symbolic/symbolicState.ts";
import type { SymbolicObject } from "../../symbolic/symbols.ts";
import { translateExpression } from "../../symbolic/translateExpression.ts";
import type { RunPoint } from "../run.ts";
import type { MemoryLife } from "./memoryLife.ts";
import { mustBeDefined, type RunObligation } from "./runObligation.ts";

/** The context of an operation: its scope, and facts beside the state. */
export type ObligationContext = {
  readonly scope: TranslationScope;
  readonly life: MemoryLife;
  readonly at: RunPoint;
  /** May the register be without a value here? */
  isUnassigned(variable: number): boolean;
  /** That an address or a number is what it was on the recorded run; null where no one run is followed. */
  asRecorded(expression: Expression, term: Term): Term | null;
};

/**
 * Obligations of an operation's expressions beyond those of its symbolic step: that objects are there, cells have values,
 * pointers stay in their objects. Repeats some of what they do say.
 */
export function accessObligations(context: ObligationContext, operation: Operation): readonly RunObligation[] {
  const obligations: RunObligation[] = [];
  const { range } = context.scope;
  const visit = (expression: Expression, isAccessed: boolean): void => {
    for (const operand of expressionOperands(expression)) {
      const isBase = expression.kind === "offset" || expression.kind === "fieldAddress";
      // The address of an access is checked as a whole.
      const partOfAccess = isBase && isAccessed && operand === expression.pointer;
      visit(operand, expression.kind === "load" || partOfAccess);
    }
    switch (expression.kind) {
      case "variable":
        if (context.isUnassigned(expression.variable))
          obligations.push(mustBeDefined("uninitialised-read", null, range));
        return;
      case "load":
        obligations.push(...atAddress(context, expression.address, expression.type, "read"));
        return;
      case "offset":
        if (!isAccessed) obligations.push(...pointerStays(context, expression));
        return;
      case "comparison":
        if (expression.left.type.kind === "pointer" && expression.operator !== "==" && expression.operator !== "!=")
          obligations.push(...inOneObject(context, expression, "pointer-comparison"));
        return;
      case "pointerDifference":
        obligations.push(...inOneObject(context, expression, "pointer-arithmetic"));
        return;
      case "convert":
        if (
          !context.scope.symbols.computesFloats &&
          expression.operand.type.kind === "float" &&
          expression.type.kind === "int"
        )
          obligations.push(mustBeDefined("float-conversion", null, range));
        return;
      default:
        return;
    }
  };
  for (const expression of operationExpressions(operation)) {
    visit(expression, operation.kind === "store" && expression === operation.address);
  }
  if (operation.kind === "store") obligations.push(...atAddress(context, operation.address, operation.type, "write"));
  return obligations.filter(({ formula }) => formula === null || !isTrue(formula));
}

/** An access must be inside of a live object, and a cell that is read must have a value. */
function atAddress(
  context: ObligationContext,
  address: Expression,
  type: ScalarType,
  access: "read" | "write",
): RunObligation[] {
  const { scope, life } = context;
  const { terms, program } = scope.symbols;
  const bad = access === "read" ? "out-of-bounds-read" : "out-of-bounds-write";
  const place = translateExpression(scope, address);
  const isNamed = rootOfAddress(address).kind === "addressOf";
  const obligations: RunObligation[] = [];
  const require = (guard: Term, problem: Parameters<typeof mustBeDefined>[0], formula: Term | null) =>
    obligations.push(
      mustBeDefined(problem, formula === null ? unlessNever(scope, guard) : terms.implies(guard, formula), scope.range),
    );
  for (const { guard, address: target } of splitCases(scope, place)) {
    const object = objectInAddress(scope.symbols, target);
    if (object === null || object.origin.kind === "function") {
      require(guard, "invalid-pointer", null);
      continue;
    }
    if (!isNamed && !life.isAlive(object)) require(guard, "use-after-free", null);
    if (access === "write" && isLiteral(scope, object)) require(guard, "write-to-literal", null);
    const offset = terms.sub(target, readAddress(scope.state, object));
    const size = sizeOfObject(scope, object);
    const room = size === null ? null : terms.sub(size, terms.int(completeSize(type, program.pointerBytes)));
    require(guard, bad, room === null ? null : terms.and(terms.ge(offset, terms.int(0n)), terms.le(offset, room)));
    if (access === "write" || life.isInitialised(object, context.at)) continue;
    const settled = life.settledIf(object);
    const same = settled === null || offset.kind === "int" ? terms.bool(true) : context.asRecorded(address, target);
    require(guard, "uninitialised-read", settled === null || same === null ? null : terms.and(settled, same));
  }
  return obligations;
}

/** No formula expresses it, unless the guard is false. */
function unlessNever({ symbols: { terms } }: TranslationScope, guard: Term): Term | null {
  return isTrue(guard) ? null : terms.not(guard);
}

/** The bytes of an object; null where they are not known. */
export function sizeOfObject({ symbols, state }: TranslationScope, object: SymbolicObject): Term | null {
  if (object.origin.kind === "heap") return state.values.get(symbols.blockSize(object)) ?? null;
  return object.size === null ? null : symbols.terms.int(object.size);
}

function isLiteral({ symbols }: TranslationScope, { origin }: SymbolicObject): boolean {
  return origin.kind === "variable" && nth(symbols.program.variables, origin.variable).literal !== undefined;
}

/** A pointer that is computed, and not used at once, points into its object or right behind it. */
function pointerStays(
  context: ObligationContext,
  expression: Expression & { readonly kind: "offset" },
): RunObligation[] {
  const { scope } = context;
  const { terms } = scope.symbols;
  return splitCases(scope, translateExpression(scope, expression)).map(({ guard, address }) => {
    const object = objectInAddress(scope.symbols, address);
    const size = object === null ? null : sizeOfObject(scope, object);
    if (object === null || size === null) {
      return mustBeDefined("pointer-arithmetic", unlessNever(scope, guard), scope.range);
    }
    const offset = terms.sub(address, readAddress(scope.state, object));
    const stays = terms.and(terms.ge(offset, terms.int(0n)), terms.le(offset, size));
    return mustBeDefined("pointer-arithmetic", terms.implies(guard, stays), scope.range);
  });
}

function inOneObject(
  { scope }: ObligationContext,
  { left, right }: { readonly left: Expression; readonly right: Expression },
  problem: "pointer-comparison" | "pointer-arithmetic",
): RunObligation[] {
  const [a, b] = [left, right].map((side) => objectInAddress(scope.symbols, translateExpression(scope, side)));
  return a !== null && a === b ? [] : [mustBeDefined(problem, null, scope.range)];
}

/** Functions that are defined for all numbers; what they print does not matter to how a run ends. */
const forAllNumbers: ReadonlySet<string> = new Set(["printf", "puts", "putchar", "rand", "srand", "malloc", "calloc"]);

/** Does a call free or move a block? */
export function endsBlocks({ name }: CallLibrary): boolean {
  const { memory, allocates } = libraryFunction(name);
  return memory.some(({ kind }) => kind === "frees") || (allocates !== null && allocates.replaces !== null);
}

/**
 * A library call is defined for arguments that it was defined for: on a recorded run its numbers and addresses have to be what they
 * were, and what it reads has to be known to the logic. Else nothing can be said of it.
 */
export function libraryObligations(context: ObligationContext, operation: CallLibrary): readonly RunObligation[] {
  const { scope } = context;
  const known = libraryFunction(operation.name);
  const args = operation.arguments.map((argument) => translateExpression(scope, argument));
  const obligations: RunObligation[] = [];
  for (const [i, argument] of operation.arguments.entries()) {
    const isHarmless = forAllNumbers.has(operation.name) && argument.type.kind !== "pointer";
    if (isHarmless || isSettled(scope, nth(args, i))) continue;
    obligations.push(mustBeDefined("library-argument", context.asRecorded(argument, nth(args, i)), scope.range));
  }
  if (isSized(known.memory) || (forAllNumbers.has(operation.name) && isLiteralCall(scope, operation)))
    return obligations;
  // How far it goes depends on the bytes that it reads.
  if (obligations.length === 0 && hasKnownArguments(scope, { operation, function: known, arguments: args }))
    return obligations;
  return [...obligations, mustBeDefined("library-argument", null, scope.range)];
}

/** Is how much it reads settled by its numbers alone? */
function isSized(memory: ReturnType<typeof libraryFunction>["memory"]): boolean {
  return memory.every((use) => {
    if (use.kind === "remembers") return false;
    return !("extent" in use) || use.extent.kind === "bytes" || use.extent.kind === "pointee";
  });
}

/** A number, or a place in an object of a known size. */
function isSettled(scope: TranslationScope, term: Term): boolean {
  const { symbols, state } = scope;
  if (term.kind === "int") return true;
  const object = objectInAddress(symbols, term);
  if (object === null || sizeOfObject(scope, object)?.kind !== "int") return false;
  return symbols.terms.sub(term, readAddress(state, object)).kind === "int";
}

/** All pointers that it is given are string literals. */
function isLiteralCall({ symbols: { program } }: TranslationScope, { arguments: args }: CallLibrary): boolean {
  const isLiteral = (expression: Expression): boolean => {
    const root = expression.kind === "convert" ? expression.operand : expression;
    if (root.kind !== "addressOf" || root.object.kind !== "variable") return false;
    return nth(program.variables, root.object.variable).literal !== undefined;
  };
  return args.every((argument) => argument.type.kind !== "pointer" || isLiteral(argument));
}
