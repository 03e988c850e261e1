import { present } from "../../base/checked.ts";
import { boundIdentifiers, children, isFunction, type Node } from "./syntax.ts";

/** One declared name. `owner` is the function whose local it is, null for a name of the file. */
export type Binding = {
  readonly name: string;
  readonly owner: Node | null;
  /** A function inside of the owner assigns it: the owner's own code cannot know its value. */
  assignedInside: boolean;
};

type Scope = { readonly parent: Scope | null; readonly owner: Node | null; readonly names: Map<string, Binding> };

/** The binding of each identifier of a variable; null if the file does not declare it. */
export type NameScopes = {
  readonly bindingOf: ReadonlyMap<Node, Binding | null>;
};

/** Scopes are keyed by the node that opens them. */
export function resolveNames(program: Node): NameScopes {
  const bindingOf = new Map<Node, Binding | null>();
  const scopeOf = new Map<Node, Scope>();
  const root: Scope = { parent: null, owner: null, names: new Map() };

  function declare(scope: Scope, name: string): void {
    if (!scope.names.has(name)) scope.names.set(name, { name, owner: scope.owner, assignedInside: false });
  }

  /** `var` belongs to the function; everything else to the block. A block's function is visible outside of it too. */
  function collect(node: Node, scope: Scope, functionScope: Scope): void {
    switch (node.type) {
      case "VariableDeclaration": {
        const target = node.kind === "var" ? functionScope : scope;
        for (const declarator of node.declarations)
          for (const name of boundIdentifiers(present(declarator.id))) declare(target, name.name);
        break;
      }
      case "FunctionDeclaration":
        if (node.id !== null) {
          declare(scope, node.id.name);
          if (scope !== functionScope) declare(functionScope, node.id.name);
        }
        break;
      case "ClassDeclaration":
        if (node.id !== null) declare(scope, node.id.name);
        break;
      case "ImportSpecifier":
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
        declare(root, node.local.name);
        return;
    }
    if (isFunction(node)) {
      const inner: Scope = { parent: scope, owner: node, names: new Map() };
      scopeOf.set(node, inner);
      if (node.type === "FunctionExpression" && node.id !== null) declare(inner, node.id.name);
      for (const param of node.params) for (const name of boundIdentifiers(param)) declare(inner, name.name);
      for (const child of children(node)) collect(child, inner, inner);
      return;
    }
    const opens = opensScope(node);
    const inner = opens ? { parent: scope, owner: scope.owner, names: new Map<string, Binding>() } : scope;
    if (opens) scopeOf.set(node, inner);
    if (node.type === "CatchClause" && node.param !== null)
      for (const name of boundIdentifiers(node.param)) declare(inner, name.name);
    if (node.type === "ClassExpression" && node.id !== null) declare(inner, node.id.name);
    const vars = node.type === "StaticBlock" ? inner : functionScope;
    for (const child of children(node)) collect(child, inner, vars);
  }

  function lookUp(scope: Scope, name: string): Binding | null {
    for (let at: Scope | null = scope; at !== null; at = at.parent) {
      const found = at.names.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }

  function resolve(node: Node, scope: Scope): void {
    const inner = scopeOf.get(node) ?? scope;
    if (node.type === "Identifier") {
      bindingOf.set(node, lookUp(inner, node.name));
      return;
    }
    for (const target of assignedIn(node)) {
      const binding = lookUp(inner, target.name);
      if (binding !== null && binding.owner !== inner.owner) binding.assignedInside = true;
    }
    for (const child of children(node)) if (!isPlainName(node, child)) resolve(child, inner);
  }

  for (const child of children(program)) collect(child, root, root);
  for (const child of children(program)) resolve(child, root);
  return { bindingOf };
}

function opensScope(node: Node): boolean {
  switch (node.type) {
    case "BlockStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "SwitchStatement":
    case "CatchClause":
    case "ClassExpression":
    case "StaticBlock":
      return true;
    default:
      return false;
  }
}

/** Identifiers that a node assigns to, other than by declaring them. */
function assignedIn(node: Node): readonly Node[] {
  switch (node.type) {
    case "AssignmentExpression":
      return boundIdentifiers(node.left);
    case "UpdateExpression":
      return node.argument?.type === "Identifier" ? [node.argument] : [];
    case "ForInStatement":
    case "ForOfStatement":
      return node.left.type === "VariableDeclaration" ? [] : boundIdentifiers(node.left);
    default:
      return [];
  }
}

/** Names of properties, labels, imports and exports: no variables. */
export function isPlainName(parent: Node, child: Node): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return child === parent.property && !parent.computed;
    case "Property":
      return child === parent.key && !parent.computed && !(parent.shorthand && child === parent.value);
    case "MethodDefinition":
    case "PropertyDefinition":
    case "AccessorProperty":
      return child === parent.key && !parent.computed;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return child === parent.label;
    case "MetaProperty":
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
    case "ExportAllDeclaration":
    case "ImportAttribute":
    case "ExportSpecifier":
      return true;
    default:
      return false;
  }
}
