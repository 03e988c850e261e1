import type { BlockItem, Declarator, Expr, FunctionDefinition } from "../../src/c/ast.ts";
import { parseC } from "../../src/c/parse/parseC.ts";
import { preprocess } from "../../src/c/preprocess/preprocess.ts";
import { type ApparentTypes, apparentTypes, nameOf } from "./apparentTypes.ts";
import { mutateConnectives, negateCondition } from "./kinds/conditions.ts";
import { mutateConstants } from "./kinds/constants.ts";
import { mutateIndices } from "./kinds/indices.ts";
import { omitStatement } from "./kinds/omissions.ts";
import { mutateOperators } from "./kinds/operators.ts";
import { swapOperands, swapStatements } from "./kinds/order.ts";
import { mutateVariables } from "./kinds/variables.ts";
import type { Mutation } from "./mutation.ts";
import { isTestFunction, type TestedProgram } from "./programs.ts";
import type { LocalVariable, Site } from "./site.ts";
import { type SourceText, sourceText } from "./sourceText.ts";
import { exprsOf, forEachExpr, forEachStatement, initialValues } from "./tree.ts";

/** Every mutation of a program, in the order of its text; tests stay as they are. */
export async function mutationsOf({ path, text }: Pick<TestedProgram, "path" | "text">): Promise<readonly Mutation[]> {
  const settings = { dataModel: "LP64", mode: "builtin", readFile: () => null } as const;
  const tree = parseC(preprocess({ path, text }, settings));
  const source = sourceText(text);
  const types = apparentTypes(tree, source);
  const mutations: Mutation[] = [];
  const common = { source, types, add: (mutation: Mutation) => void mutations.push(mutation) };
  for (const item of tree.items) {
    if (item.kind === "functionDefinition") {
      const name = nameOf(item.declarator);
      if (name === null || isTestFunction(name)) continue;
      mutateFunction({ ...common, function: name, locals: localsOf(item, types, source) }, item);
    }
    if (item.kind === "declaration" && item.specifiers.storage !== "typedef") {
      const site: Site = { ...common, function: null, locals: [] };
      for (const value of initialValues(item)) forEachExpr(value, (expr) => mutateConstants(site, expr, null));
    }
  }
  return withoutRepetition(mutations);
}

function mutateFunction(site: Site, { body }: FunctionDefinition): void {
  forEachStatement(body, null, (statement, place) => {
    omitStatement(site, statement, place);
    if (place !== null) swapStatements(site, place.block, place.index);
    const condition = conditionOf(statement);
    if (condition !== null) negateCondition(site, condition);
    for (const length of lengthsOf(statement)) forEachExpr(length, (expr) => mutateConstants(site, expr, null));
    for (const whole of exprsOf(statement)) forEachExpr(whole, (expr, parent) => mutateExpression(site, expr, parent));
  });
}

function mutateExpression(site: Site, expr: Expr, parent: Expr | null): void {
  mutateOperators(site, expr);
  mutateConstants(site, expr, parent);
  mutateConnectives(site, expr);
  if (expr.kind === "conditional") negateCondition(site, expr.condition);
  mutateIndices(site, expr);
  mutateVariables(site, expr);
  swapOperands(site, expr);
}

function conditionOf(statement: BlockItem): Expr | null {
  switch (statement.kind) {
    case "if":
    case "while":
    case "doWhile":
    case "for":
      return statement.condition;
    default:
      return null;
  }
}

/** Lengths of the arrays that a statement declares. */
function lengthsOf(statement: BlockItem): readonly Expr[] {
  if (statement.kind !== "declaration") return [];
  const lengths = (declarator: Declarator): readonly Expr[] => {
    if (declarator.kind === "name") return [];
    const own = declarator.kind === "array" && declarator.length !== null ? [declarator.length] : [];
    return [...own, ...lengths(declarator.of)];
  };
  return statement.declarators.flatMap(({ declarator }) => lengths(declarator));
}

function localsOf(definition: FunctionDefinition, types: ApparentTypes, source: SourceText): readonly LocalVariable[] {
  const whole = { from: source.startOf(definition.body.range), to: source.endOf(definition.body.range) };
  const locals: LocalVariable[] = types.parametersOf(definition).map(([name, type]) => ({ name, type, ...whole }));
  forEachStatement(definition.body, null, (statement, place) => {
    const declaration =
      statement.kind === "declaration"
        ? statement
        : statement.kind === "for" && statement.init?.kind === "declaration"
          ? statement.init
          : null;
    if (declaration === null) return;
    const around = statement.kind === "for" ? statement : (place?.block ?? definition.body);
    const span = { from: source.endOf(declaration.range) - 1, to: source.endOf(around.range) };
    for (const [name, type] of types.declare(declaration)) locals.push({ name, type, ...span });
  });
  return locals;
}

/** Two ways to the same text are one mutation: the first. */
function withoutRepetition(mutations: readonly Mutation[]): readonly Mutation[] {
  const seen = new Set<string>();
  return mutations.filter(({ start, end, replacement }) => {
    const key = `${start} ${end} ${replacement}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
