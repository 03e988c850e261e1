import { assertNever } from "../../../base/assertNever.ts";
import type {
  Block,
  Declaration,
  Declarator,
  Expr,
  FunctionDefinition,
  InitDeclarator,
  Initializer,
  Parameter,
  Specifiers,
  Statement,
  TranslationUnit,
} from "../ast.ts";

/** Variables that `&` is applied to, directly or to a member. Everything else scalar can live in a register. */
export type AddressTaken = {
  /** File-level variables by name, and K&R parameters without a declaration as `f(x)`. */
  readonly names: Set<string>;
  readonly declarations: Set<InitDeclarator | Parameter>;
};

/** What a name stands for: a declaration, a file-level or K&R name, or nothing that has an address of interest. */
type Meaning = InitDeclarator | Parameter | string | null;
type Names = { readonly parent: Names | null; readonly map: Map<string, Meaning> };

/** One walk over the whole unit; only scopes matter, types do not. */
export function findAddressTaken(unit: TranslationUnit): AddressTaken {
  const result: AddressTaken = { names: new Set(), declarations: new Set() };
  const walk = walker(result);
  for (const item of unit.items) {
    if (item.kind === "declaration") walk.fileDeclaration(item);
    else if (item.kind === "functionDefinition") walk.function(item);
  }
  return result;
}

export function implicitParameterKey(functionName: string, parameter: string): string {
  return `${functionName}(${parameter})`;
}

export function declaredName(declarator: Declarator): string | null {
  let at = declarator;
  while (at.kind !== "name") at = at.of;
  return at.name;
}

/** The declarator directly around the name: a function definition's parameter list. */
export function functionDeclarator(declarator: Declarator): (Declarator & { kind: "function" }) | null {
  let found: (Declarator & { kind: "function" }) | null = null;
  for (let at = declarator; at.kind !== "name"; at = at.of) if (at.kind === "function") found = at;
  return found;
}

function walker(result: AddressTaken) {
  let names: Names = { parent: null, map: new Map() };

  const lookup = (name: string): Meaning => {
    for (let at: Names | null = names; at !== null; at = at.parent) {
      const meaning = at.map.get(name);
      if (meaning !== undefined) return meaning;
    }
    return name;
  };
  const scoped = (body: () => void) => {
    const outer = names;
    names = { parent: outer, map: new Map() };
    body();
    names = outer;
  };
  const take = (name: string) => {
    const meaning = lookup(name);
    if (typeof meaning === "string") result.names.add(meaning);
    else if (meaning !== null) result.declarations.add(meaning);
  };

  /** The operand of `&`: marks the variable that the place is a part of. */
  const address = (operand: Expr): void => {
    switch (operand.kind) {
      case "identifier":
        return take(operand.name);
      case "member":
        return operand.arrow ? arrowObject(operand.object) : address(operand.object);
      default:
        return expr(operand);
    }
  };
  /** `(&x)->f` is `x.f`. */
  const arrowObject = (object: Expr) => {
    if (object.kind === "unary" && object.operator === "&") expr(object.operand);
    else expr(object);
  };

  const expr = (e: Expr): void => {
    switch (e.kind) {
      case "identifier":
      case "number":
      case "character":
      case "string":
      case "sizeofType":
      case "alignof":
      case "labelAddress":
        return;
      case "unary":
        if (e.operator === "&") return address(e.operand);
        if (e.operator === "*" && e.operand.kind === "unary" && e.operand.operator === "&") {
          return expr(e.operand.operand);
        }
        return expr(e.operand);
      case "increment":
        return expr(e.operand);
      case "binary":
      case "comma": {
        let at: Expr = e;
        for (; at.kind === "binary" || at.kind === "comma"; at = at.left) expr(at.right);
        return expr(at);
      }
      case "assignment": {
        let at: Expr = e;
        for (; at.kind === "assignment"; at = at.right) expr(at.left);
        return expr(at);
      }
      case "conditional":
        expr(e.condition);
        if (e.then !== null) expr(e.then);
        return expr(e.else);
      case "cast":
        return expr(e.operand);
      case "compoundLiteral":
        return initializer(e.initializer);
      case "subscript":
        expr(e.array);
        return expr(e.index);
      case "member":
        return e.arrow ? arrowObject(e.object) : expr(e.object);
      case "call":
        expr(e.callee);
        return e.arguments.forEach(expr);
      case "sizeofExpr":
        return;
      case "offsetof":
        for (const step of e.path) if (step.kind === "index") expr(step.from);
        return;
      case "vaArg":
        return expr(e.list);
      case "generic":
        for (const association of e.associations) expr(association.value);
        return;
      case "statementExpression":
        return block(e.body);
      default:
        return assertNever(e, "expression");
    }
  };

  const initializer = (init: Initializer): void => {
    if (init.kind === "expression") return expr(init.value);
    for (const item of init.items) initializer(item.value);
  };

  const declarator = (d: Declarator): void => {
    for (let at = d; at.kind !== "name"; at = at.of) if (at.kind === "array" && at.length !== null) expr(at.length);
  };

  const declaration = (item: Declaration, file: boolean): void => {
    declareEnumerators(item.specifiers, names.map);
    for (const init of item.declarators) {
      const name = declaredName(init.declarator);
      declarator(init.declarator);
      if (name !== null && !file) names.map.set(name, meaningOf(item.specifiers, init, name));
      if (init.initializer !== null) initializer(init.initializer);
    }
  };

  const block = (body: Block): void =>
    scoped(() => {
      for (const item of body.items) {
        if (item.kind === "declaration") declaration(item, false);
        else if (item.kind !== "staticAssert") statement(item);
      }
    });

  const statement = (s: Statement): void => {
    switch (s.kind) {
      case "block":
        return block(s);
      case "expressionStatement":
        return expr(s.expression);
      case "if": {
        let at: Statement | null = s;
        for (; at?.kind === "if"; at = at.else) {
          expr(at.condition);
          statement(at.then);
        }
        if (at !== null) statement(at);
        return;
      }
      case "while":
      case "doWhile":
        expr(s.condition);
        return statement(s.body);
      case "for":
        return scoped(() => {
          if (s.init !== null) s.init.kind === "declaration" ? declaration(s.init, false) : expr(s.init);
          if (s.condition !== null) expr(s.condition);
          if (s.update !== null) expr(s.update);
          statement(s.body);
        });
      case "switch":
        expr(s.value);
        return statement(s.body);
      case "case":
      case "default":
      case "label": {
        let at: Statement = s;
        while (at.kind === "case" || at.kind === "default" || at.kind === "label") at = at.body;
        return statement(at);
      }
      case "watch":
        return expr(s.condition);
      case "return":
        if (s.value !== null) expr(s.value);
        return;
      case "empty":
      case "goto":
      case "computedGoto":
      case "break":
      case "continue":
      case "asm":
        return;
      default:
        return assertNever(s, "statement");
    }
  };

  return {
    fileDeclaration: (item: Declaration) => declaration(item, true),
    function: (definition: FunctionDefinition) =>
      scoped(() => {
        const name = declaredName(definition.declarator) ?? "";
        const list = functionDeclarator(definition.declarator);
        for (const identifier of list?.identifiers ?? []) {
          names.map.set(identifier, implicitParameterKey(name, identifier));
        }
        for (const parameter of list?.parameters ?? []) {
          const parameterName = declaredName(parameter.declarator);
          if (parameterName !== null) names.map.set(parameterName, parameter);
          declarator(parameter.declarator);
        }
        for (const item of definition.parameterDeclarations) declaration(item, false);
        block(definition.body);
      }),
  };
}

function meaningOf(specifiers: Specifiers, init: InitDeclarator, name: string): Meaning {
  if (specifiers.storage === "typedef") return null;
  const isFunction = init.declarator.kind !== "name" && functionDeclarator(init.declarator)?.of.kind === "name";
  return specifiers.storage === "extern" || isFunction ? name : init;
}

function declareEnumerators(specifiers: Specifiers, map: Map<string, Meaning>): void {
  if (specifiers.type.kind !== "enum") return;
  for (const enumerator of specifiers.type.enumerators ?? []) map.set(enumerator.name, null);
}
