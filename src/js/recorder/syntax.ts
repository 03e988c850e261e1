import { parseSync, visitorKeys } from "oxc-parser";

/**
 * A node of the parser's tree (ESTree and its TypeScript extension), read by field name: `type` says which fields are
 * there. Both the instrumenter and the replay read trees through this one view, so that they cannot disagree.
 */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly kind: string;
  readonly operator: string;
  readonly raw: string | null;
  readonly directive: string | null;
  readonly computed: boolean;
  readonly optional: boolean;
  readonly static: boolean;
  readonly shorthand: boolean;
  readonly method: boolean;
  readonly async: boolean;
  readonly generator: boolean;
  readonly await: boolean;
  readonly expression: Node & boolean;
  readonly prefix: boolean;
  readonly declare: boolean;
  readonly delegate: boolean;
  readonly bigint: string | null;
  readonly regex: unknown;
  readonly id: Node | null;
  readonly init: Node | null;
  readonly left: Node;
  readonly right: Node;
  readonly object: Node;
  readonly property: Node;
  readonly callee: Node;
  readonly key: Node;
  readonly value: Node;
  readonly argument: Node | null;
  readonly test: Node | null;
  readonly update: Node | null;
  readonly alternate: Node | null;
  readonly param: Node | null;
  readonly parameter: Node;
  readonly label: Node | null;
  readonly block: Node;
  readonly handler: Node | null;
  readonly finalizer: Node | null;
  readonly discriminant: Node;
  readonly superClass: Node | null;
  readonly local: Node;
  readonly exported: Node;
  readonly source: Node | null;
  readonly quasi: Node;
  readonly tag: Node;
  readonly declaration: Node | null;
  readonly consequent: Node & readonly Node[];
  /** Statements of a block, or the one node of a function, loop or class. */
  readonly body: Node & readonly Node[];
  readonly params: readonly Node[];
  readonly cases: readonly Node[];
  readonly declarations: readonly Node[];
  readonly elements: readonly (Node | null)[];
  readonly properties: readonly Node[];
  readonly expressions: readonly Node[];
  readonly quasis: readonly { readonly value: { readonly cooked: string | null } }[];
  readonly arguments: readonly Node[];
  readonly specifiers: readonly Node[];
}

export type SourceLanguage = "js" | "jsx" | "ts" | "tsx";
export type SourceKind = "module" | "commonjs";

export type Parsed =
  /** `typed`: a compiler will take the types away. */
  | { readonly kind: "parsed"; readonly program: Node; readonly typed: boolean }
  | { readonly kind: "refused"; readonly message: string };

export function languageOf(path: string): SourceLanguage | null {
  const match = /\.([cm]?)(js|ts)(x?)$/.exec(path);
  if (match === null || (match[1] !== "" && match[3] !== "")) return null;
  return `${match[2]}${match[3]}` as SourceLanguage;
}

/** Parentheses are not nodes, so positions of expressions are those of their first and last own token. */
export function parseSource(path: string, text: string, sourceKind: SourceKind): Parsed {
  const lang = languageOf(path) ?? "js";
  const result = parseSync(path, text, { lang, sourceType: sourceKind, preserveParens: false });
  const error = result.errors.find((found) => found.severity === "Error");
  if (error !== undefined) return { kind: "refused", message: error.message };
  return { kind: "parsed", program: result.program as unknown as Node, typed: lang.startsWith("ts") };
}

/** How Node or a bundler will read the file. */
export function sourceKindOf(file: string, code: string): SourceKind {
  if (/\.c[jt]s$/.test(file)) return "commonjs";
  if (/\.m[jt]s$|\.tsx?$/.test(file)) return "module";
  const parsed = parseSource(file, code, "module");
  if (parsed.kind === "refused") return "commonjs";
  const isModule = parsed.program.body.some(({ type }) => /^(Import|Export)/.test(type));
  return isModule || !/\b(module\.exports|exports\.|require\()/.test(code) ? "module" : "commonjs";
}

/** What type syntax there is in a tree is left alone, but for what stands around expressions. */
const transparent = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "TSParameterProperty",
  "TSExportAssignment",
]);

export function isTypeSyntax(node: Node): boolean {
  return node.type.startsWith("TS") && !transparent.has(node.type);
}

/** `x as T`, `x!`, `<T>x` and the like: the expression inside. */
export function withoutTypes(node: Node): Node {
  let inner = node;
  while (inner.type.startsWith("TS") && transparent.has(inner.type)) inner = inner.expression;
  return inner;
}

/** Children in source order, without type syntax. */
export function children(node: Node): readonly Node[] {
  const found: Node[] = [];
  const add = (child: unknown): void => {
    if (Array.isArray(child)) for (const one of child) add(one);
    else if (typeof child === "object" && child !== null && !isTypeSyntax(child as Node)) found.push(child as Node);
  };
  for (const key of visitorKeys[node.type] ?? []) add((node as unknown as Record<string, unknown>)[key]);
  return found;
}

export function isFunction(node: Node): boolean {
  return (
    node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"
  );
}

/** The names that a pattern binds, as identifier nodes in source order. */
export function boundIdentifiers(pattern: Node): readonly Node[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern];
    case "AssignmentPattern":
      return boundIdentifiers(pattern.left);
    case "RestElement":
      return pattern.argument === null ? [] : boundIdentifiers(pattern.argument);
    case "TSParameterProperty":
      return boundIdentifiers(pattern.parameter);
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element === null ? [] : boundIdentifiers(element)));
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        boundIdentifiers(property.type === "RestElement" ? property : property.value),
      );
    default:
      return [];
  }
}
