import { assertNever } from "../../src/base/errors.ts";
import type { SourceRange } from "../../src/base/sourceRange.ts";
import type {
  Declaration,
  Declarator,
  Expr,
  FunctionDefinition,
  Specifiers,
  TranslationUnit,
  TypeSpecifier,
} from "../../src/c/ast.ts";
import type { SourceText } from "./sourceText.ts";

/**
 * Types as a reader sees them, as text: `int`, `struct node*`, `char[]`. Good enough to choose a variable, field or argument
 * that a programmer could have taken by mistake, and that a compiler would have let through.
 */
export type ApparentTypes = {
  /** null: not known. */
  readonly typeOf: (expr: Expr, scope: Scope) => string | null;
  /** Fields of the struct that an expression is, or points to. */
  readonly fieldsOf: (expr: Expr, scope: Scope) => ReadonlyMap<string, string>;
  readonly globals: ReadonlyMap<string, string>;
  /** Where the text names each of them first. */
  readonly declaredAt: ReadonlyMap<string, number>;
  /** Names of the constants of each `enum`. */
  readonly enums: readonly (readonly string[])[];
  readonly declare: (declaration: Declaration) => readonly [name: string, type: string][];
  readonly parametersOf: (definition: FunctionDefinition) => readonly [name: string, type: string][];
};

export type Scope = (name: string) => string | null;

export function isNumber(type: string): boolean {
  return /^(?:const )?(?:_Bool|char|double|float|int|long|short|signed|unsigned|enum)\b[^*[(]*$/.test(type);
}

export function nameOf(declarator: Declarator): string | null {
  return declarator.kind === "name" ? declarator.name : nameOf(declarator.of);
}

export function apparentTypes(tree: TranslationUnit, source: SourceText): ApparentTypes {
  const typedefs = new Map<string, string>();
  const structs = new Map<string, Map<string, string>>();
  const globals = new Map<string, string>();
  const declaredAt = new Map<string, number>();
  const enums: string[][] = [];
  let anonymous = 0;

  const specified = (type: TypeSpecifier): string => {
    switch (type.kind) {
      case "basic":
        return type.words.length === 0 ? "int" : type.words.join(" ");
      case "typedefName":
        return typedefs.get(type.name) ?? type.name;
      case "struct": {
        const name = `struct ${type.tag ?? `#${++anonymous}`}`;
        if (type.fields !== null) {
          const fields = new Map<string, string>();
          structs.set(name, fields);
          for (const [field, fieldType] of type.fields.flatMap(declare)) fields.set(field, fieldType);
        }
        return name;
      }
      case "enum":
        if (type.enumerators !== null) enums.push(type.enumerators.map(({ name }) => name));
        return "enum";
      case "typeof":
        return "typeof";
      default:
        return assertNever(type);
    }
  };

  const declared = ({ type, range }: Specifiers, declarators: readonly Declarator[]): [string, string][] => {
    const base = (isConst(source, range) ? "const " : "") + specified(type).replace(/^const /, "");
    return declarators.flatMap((declarator) => {
      const name = nameOf(declarator);
      return name === null ? [] : [[name, wholeType(declarator, base)] as [string, string]];
    });
  };

  const declare = ({ specifiers, declarators }: Declaration) =>
    declared(
      specifiers,
      declarators.map(({ declarator }) => declarator),
    );

  const parametersOf = ({ declarator }: FunctionDefinition) => {
    const inner = functionPart(declarator);
    if (inner === null) return [];
    return inner.parameters.flatMap((parameter) =>
      declared(parameter.specifiers, [parameter.declarator]).map(
        ([name, type]) => [name, type.replace(/\[\]$/, "*")] as [string, string],
      ),
    );
  };

  for (const item of tree.items) {
    if (item.kind === "staticAssert") continue;
    if (item.kind === "functionDefinition") {
      for (const [name, type] of declared(item.specifiers, [item.declarator])) globals.set(name, type);
      continue;
    }
    const into = item.specifiers.storage === "typedef" ? typedefs : globals;
    for (const [name, type] of declare(item)) {
      into.set(name, type);
      declaredAt.set(name, source.endOf(item.range));
    }
  }

  const fieldsOf = (expr: Expr, scope: Scope): ReadonlyMap<string, string> => {
    const type = typeOf(expr, scope)?.replace(/^const |(?:\*|\[\])$/g, "");
    return (type === undefined ? undefined : structs.get(type)) ?? new Map();
  };

  const typeOf = (expr: Expr, scope: Scope): string | null => {
    switch (expr.kind) {
      case "number":
        return /[.eE]/.test(expr.text) && !expr.text.startsWith("0x") ? "double" : "int";
      case "character":
        return "int";
      case "string":
        return "char*";
      case "identifier":
        return scope(expr.name) ?? globals.get(expr.name) ?? (enums.flat().includes(expr.name) ? "enum" : null);
      case "member":
        return fieldsOf(expr.object, scope).get(expr.field) ?? null;
      case "subscript":
        return pointedTo(typeOf(expr.array, scope));
      case "unary": {
        const operand = typeOf(expr.operand, scope);
        if (expr.operator === "*") return pointedTo(operand);
        if (expr.operator === "&") return operand === null ? null : `${operand}*`;
        return expr.operator === "!" ? "int" : operand;
      }
      case "call":
        return typeOf(expr.callee, scope)?.replace(/\(\)\**$/, "") ?? null;
      case "cast":
        return wholeType(expr.type.declarator, specified(expr.type.specifiers.type));
      case "binary": {
        const left = typeOf(expr.left, scope);
        const right = typeOf(expr.right, scope);
        return left !== null && right !== null && isNumber(left) && !isNumber(right) ? right : left;
      }
      case "assignment":
        return typeOf(expr.left, scope);
      case "increment":
        return typeOf(expr.operand, scope);
      case "conditional":
        return typeOf(expr.else, scope);
      case "sizeofExpr":
      case "sizeofType":
        return "long unsigned";
      default:
        return null;
    }
  };

  return { typeOf, fieldsOf, globals, declaredAt, enums, declare, parametersOf };
}

/** The tree leaves qualifiers out. Those of a struct's fields are not its own. */
function isConst(source: SourceText, specifiers: SourceRange): boolean {
  return /\bconst\b/.test(source.at(specifiers).replace(/\{[\s\S]*\}/, ""));
}

function functionPart(declarator: Declarator): Extract<Declarator, { kind: "function" }> | null {
  if (declarator.kind === "name") return null;
  return declarator.kind === "function" && declarator.of.kind === "name" ? declarator : functionPart(declarator.of);
}

/** `int *a[3]` is an array of pointers: the outer declarators are nearer to the base type. */
function wholeType(declarator: Declarator, base: string): string {
  switch (declarator.kind) {
    case "name":
      return base;
    case "pointer":
      return wholeType(declarator.of, `${base}*`);
    case "array":
      return wholeType(declarator.of, `${base}[]`);
    case "function":
      return wholeType(declarator.of, `${base}()`);
    default:
      return assertNever(declarator);
  }
}

function pointedTo(type: string | null): string | null {
  return type === null || !/(?:\*|\[\])$/.test(type) ? null : type.replace(/(?:\*|\[\])$/, "");
}
