import { nth } from "../base/checked.ts";
import { memoised, remembered } from "../base/memo.ts";
import { type Expression, expressionOperands } from "./expression.ts";
import { type Call, type CallLibrary, writtenRegister } from "./operation.ts";
import type { Program, VariableId } from "./program.ts";
import { sourceTextAt } from "./source.ts";

/** How text names the variables of a program. Printers ask it while they print; printed text is never rewritten. */
export type Naming = { meaning(variable: VariableId): Meaning };

export type Meaning =
  | { readonly kind: "name"; readonly text: string }
  /** A temporary that holds the value of an expression. */
  | { readonly kind: "expression"; readonly expression: Expression }
  /** A temporary that holds the result of a call. */
  | { readonly kind: "call"; readonly operation: Call | CallLibrary }
  | { readonly kind: "input"; readonly text: string }
  /** A temporary that several operations write: `a ? b : c` as the source writes it. */
  | { readonly kind: "choice"; readonly text: string }
  /** Made by lowering, without a name in the source. */
  | { readonly kind: "unnamed"; readonly text: string };

/** Every variable by its own name: for dumps of the program model. */
export function modelNaming({ variables }: Program): Naming {
  return { meaning: (id) => ({ kind: "name", text: nth(variables, id).name }) };
}

/** Source names: a temporary is printed as what it stands for. */
export const sourceNaming = memoised((program: Program): Naming => {
  const meanings = new Map<VariableId, Meaning>();
  return {
    meaning(id) {
      return remembered(meanings, id, () => meaningOf(program, id));
    },
  };
});

/** True if the source has words for every variable in the expression. */
export function hasSourceNames(program: Program, expression: Expression): boolean {
  const { meaning } = sourceNaming(program);
  const visit = (part: Expression, depth: number): boolean => {
    if (part.kind === "variable") {
      const own = meaning(part.variable);
      if (own.kind === "expression") return depth < maxNamingDepth && visit(own.expression, depth + 1);
      if (own.kind === "call") return own.operation.arguments.every((argument) => visit(argument, depth + 1));
      return own.kind !== "unnamed";
    }
    if (part.kind === "addressOf" && part.object.kind === "variable") {
      const { madeUp, literal } = nth(program.variables, part.object.variable);
      return !madeUp || literal !== undefined;
    }
    return expressionOperands(part).every((operand) => visit(operand, depth));
  };
  return visit(expression, 0);
}

/** The depth to which temporaries inside temporaries are spelled out; one may refer to itself. */
export const maxNamingDepth = 4;

function meaningOf(program: Program, id: VariableId): Meaning {
  const variable = nth(program.variables, id);
  const { name, madeUp, kind, function: owner } = variable;
  if (kind !== "temporary" || owner === null) return { kind: madeUp ? "unnamed" : "name", text: name };
  const writers = nth(program.functions, owner).edges.filter(({ operation }) => writtenRegister(operation) === id);
  if (writers.length > 1) return choiceOf(program, id);
  const operation = writers[0]?.operation;
  switch (operation?.kind) {
    case "assign":
      return { kind: "expression", expression: operation.value };
    case "call":
    case "callLibrary":
      return { kind: "call", operation };
    case "input":
      return { kind: "input", text: `${operation.source}()` };
    default:
      return { kind: "unnamed", text: name };
  }
}

/** Longer choices are not printed as one name. */
const longestChoice = 40;

function choiceOf(program: Program, id: VariableId): Meaning {
  const { range, name } = nth(program.variables, id);
  const isShort = range.line === range.endLine && range.endColumn - range.column <= longestChoice;
  const text = isShort ? sourceTextAt(program, range) : null;
  return text === null ? { kind: "unnamed", text: name } : { kind: "choice", text };
}
