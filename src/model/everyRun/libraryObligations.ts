import { libraryFunction } from "../../c/library/table.ts";
import type { Expression } from "../../ir/expression.ts";
import type { CallLibrary } from "../../ir/operation.ts";
import type { Term } from "../../logic/term.ts";
import { hasKnownArguments } from "../../symbolic/library/libraryCall.ts";
import { objectInAddress, type TranslationScope } from "../../symbolic/stepEnvironment.ts";
import { readAddress } from "../../symbolic/symbolicState.ts";
import { translateExpression } from "../../symbolic/translateExpression.ts";
import { type ObligationContext, sizeOfObject } from "./accessObligations.ts";
import { mustBeDefined, type RunObligation } from "./runObligation.ts";

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
    if (isHarmless || isSettled(scope, args[i]!)) continue;
    obligations.push(mustBeDefined("library-argument", context.asRecorded(argument, args[i]!), scope.range));
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
    return program.variables[root.object.variable]!.literal !== undefined;
  };
  return args.every((argument) => argument.type.kind !== "pointer" || isLiteral(argument));
}
