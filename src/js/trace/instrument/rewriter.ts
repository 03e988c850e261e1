import { boundIdentifiers, children, isFunction, type Node } from "../../recorder/syntax.ts";
import { runtimeName } from "../runtimeName.ts";

/** A place of the source that events refer to. Offsets count UTF-16 units of the original text. */
export type TraceSite = {
  readonly kind: EventKindAtSite;
  readonly start: number;
  readonly end: number;
  /** For writes: the name of the variable or property. For statements: the name of their function. */
  readonly name: string;
};

export type EventKindAtSite =
  | "statement"
  | "condition"
  | "loop"
  | "return"
  | "throw"
  | "write"
  | "parameter"
  | "call"
  | "value"
  | "literal"
  | "branch"
  | "function";

/** The new text of an expression, and of the event that produced its value. The event is read right after the value. */
export type Rewritten = { readonly value: string; readonly event: string };

export type Edit = readonly [start: number, end: number, text: string];

type Scope = { readonly names: ReadonlyMap<string, DeclaredName>; readonly isFunction: boolean };

export type DeclaredName = {
  /** A second variable holds the event of its value. */
  readonly hasEvent: boolean;
  readonly isConstant?: boolean;
  /** The offset at which it is declared. */
  readonly from: number;
  /** The name under which another file exports it. */
  readonly imported?: string;
};

export const lastEvent = `${runtimeName}.r`;

/** What the parts of the instrumenter share while they rewrite one file. */
export class Rewriter {
  readonly text: string;
  readonly sites: TraceSite[] = [];
  /** No identifier of the file contains it. */
  readonly mark: string;
  /** The variable with the frame of the current function. */
  readonly frame: string;
  functionName = "(module)";
  isStrict: boolean;
  readonly #firstSite: number;
  readonly #scopes: Scope[] = [];
  #temps: string[] | null = [];

  constructor(text: string, firstSite: number, isStrict: boolean) {
    this.text = text;
    this.#firstSite = firstSite;
    this.isStrict = isStrict;
    let mark = "$$";
    while (text.includes(mark)) mark += "_$";
    this.mark = mark;
    this.frame = `${mark}f`;
  }

  site(kind: EventKindAtSite, start: number, end: number, name = ""): number {
    this.sites.push({ kind, start, end, name });
    return this.#firstSite + this.sites.length - 1;
  }

  siteOf(kind: EventKindAtSite, { start, end }: Node, name = ""): number {
    return this.site(kind, start, end, name);
  }

  raw({ start, end }: Pick<Node, "start" | "end">): string {
    return this.text.slice(start, end);
  }

  /** The source between two offsets with some parts replaced. */
  splice(start: number, end: number, edits: readonly Edit[]): string {
    let out = "";
    let at = start;
    for (const [from, to, text] of [...edits].sort((a, b) => a[0] - b[0])) {
      out += this.text.slice(at, from) + text;
      at = to;
    }
    return out + this.text.slice(at, end);
  }

  /** A call of the runtime in place of a node, with as many line breaks as the node has. */
  runtime(method: string, parts: readonly (string | number)[], node: Pick<Node, "start" | "end">): string {
    const inner = parts.join(",");
    return `${runtimeName}.${method}(${inner}${this.missingLines(node, inner)})`;
  }

  missingLines(node: Pick<Node, "start" | "end">, text: string): string {
    return "\n".repeat(Math.max(0, lineBreaks(this.raw(node)) - lineBreaks(text)));
  }

  /** A variable of the current function for an intermediate value; null where none can be declared. */
  temp(): string | null {
    if (this.#temps === null) return null;
    const name = `${this.mark}${this.#temps.length + 1}`;
    this.#temps.push(name);
    return name;
  }

  /** Rewrites a function body; gives the variables that it needs. */
  inFunction<T>(name: string, work: () => T): { readonly result: T; readonly temps: readonly string[] } {
    const [before, called] = [this.#temps, this.functionName];
    const temps: string[] = [];
    this.#temps = temps;
    this.functionName = name;
    const result = work();
    this.#temps = before;
    this.functionName = called;
    return { result, temps };
  }

  /** Rewrites code where no variable can be declared: defaults of parameters, fields of classes. */
  withoutTemps<T>(work: () => T): T {
    const before = this.#temps;
    this.#temps = null;
    const result = work();
    this.#temps = before;
    return result;
  }

  inScope<T>(names: ReadonlyMap<string, DeclaredName>, work: () => T, opensFunction = false): T {
    this.#scopes.push({ names, isFunction: opensFunction });
    const result = work();
    this.#scopes.pop();
    return result;
  }

  lookUp(name: string): DeclaredName | null {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const found = this.#scopes[i]?.names.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** The variable with the event of a variable's value; null if there is none. */
  eventOf(name: string): string | null {
    return this.lookUp(name)?.hasEvent === true ? `${name}${this.mark}` : null;
  }

  /** The same for a variable that can be assigned. */
  writableEventOf(name: string): string | null {
    return this.lookUp(name)?.isConstant === true ? null : this.eventOf(name);
  }

  /** True if a variable of this function is surely declared before an offset. */
  isDeclaredBefore(name: string, offset: number): boolean {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const scope = this.#scopes[i];
      const found = scope?.names.get(name);
      if (found !== undefined) return found.from < offset;
      if (scope?.isFunction === true) return true;
    }
    return false;
  }
}

function lineBreaks(text: string): number {
  return text.split("\n").length - 1;
}

export function declaredNames(statements: readonly (Node | null)[]): Map<string, DeclaredName> {
  const names = new Map<string, DeclaredName>();
  for (const statement of statements) {
    if (statement === null) continue;
    const node = statement.type.startsWith("Export") && statement.declaration ? statement.declaration : statement;
    if (node.type === "VariableDeclaration" && !node.declare) {
      const hasEvent = !node.kind.includes("using");
      for (const { id } of node.declarations)
        for (const { name, start } of id === null ? [] : boundIdentifiers(id))
          names.set(name, { hasEvent, isConstant: node.kind === "const", from: start });
    } else if (/^(Function|Class)Declaration$/.test(node.type) || node.type.startsWith("TS")) {
      if (node.id?.name !== undefined) names.set(node.id.name, { hasEvent: false, from: 0 });
    } else if (node.type === "ImportDeclaration") {
      for (const { local, type, imported } of node.specifiers as readonly (Node & { readonly imported?: Node })[])
        names.set(local.name, {
          hasEvent: false,
          from: 0,
          ...(type === "ImportSpecifier" && imported !== undefined ? { imported: imported.name } : {}),
        });
    }
  }
  return names;
}

/** `var` names of a function body, also inside of its blocks. */
export function varNames(body: readonly Node[]): Map<string, DeclaredName> {
  const names = new Map<string, DeclaredName>();
  const visit = (node: Node): void => {
    if (isFunction(node) || node.type.startsWith("Class")) return;
    if (node.type === "VariableDeclaration" && node.kind === "var" && !node.declare)
      for (const { id } of node.declarations)
        for (const { name } of id === null ? [] : boundIdentifiers(id)) names.set(name, { hasEvent: true, from: 0 });
    for (const child of children(node)) visit(child);
  };
  for (const node of body) visit(node);
  return names;
}

/** The keys that lead from a destructured value to each bound name; null if a key is computed or takes the rest. */
export function patternPaths(pattern: Node): readonly { readonly target: Node; readonly path: PatternPath }[] {
  const found: { readonly target: Node; readonly path: PatternPath }[] = [];
  const visit = (node: Node | null, path: PatternPath): void => {
    if (node === null) return;
    switch (node.type) {
      case "AssignmentPattern":
        return visit(node.left, path);
      case "RestElement":
        return visit(node.argument, null);
      case "TSParameterProperty":
        return visit(node.parameter, path);
      case "ArrayPattern":
        return node.elements.forEach((element, i) => {
          visit(element, path === null ? null : [...path, i]);
        });
      case "ObjectPattern":
        for (const property of node.properties) {
          const key = property.type === "Property" ? plainKey(property) : null;
          visit(property.type === "Property" ? property.value : property, path && key !== null ? [...path, key] : null);
        }
        return;
      default:
        found.push({ target: node, path });
    }
  };
  visit(pattern, []);
  return found;
}

type PatternPath = readonly (string | number)[] | null;

/** The key of a property, method or member that is not computed. */
export function plainKey({ key, computed }: Pick<Node, "key" | "computed">): string | null {
  if (computed) return null;
  if (key.type === "Literal") return String((key as unknown as { readonly value: unknown }).value);
  return key.type === "PrivateIdentifier" ? `#${key.name}` : key.name;
}
