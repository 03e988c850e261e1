import { present } from "../../base/checked.ts";
import { boundIdentifiers, children, isFunction, isTypeSyntax, type Node, withoutTypes } from "../recorder/syntax.ts";

/** How an expression is used by the expression or statement around it. */
export type Role =
  | "condition"
  | "truth"
  | "compared"
  | "operand"
  | "index"
  | "object"
  | "argument"
  | "assigned"
  | "returned"
  | "element"
  | "iterated"
  | "discarded"
  | "other";

/** A name that is declared in a scope. */
export type ScopedName = {
  readonly name: string;
  readonly kind: "let" | "const" | "var" | "parameter" | "function" | "class" | "import" | "other";
  readonly init: Node | null;
  /** It can be read behind this offset. */
  readonly from: number;
};

/** Linked scopes, the innermost first. `isFile`: the names of the module itself. */
export type VisibleScope = {
  readonly names: readonly ScopedName[];
  readonly outer: VisibleScope | null;
  readonly isFile: boolean;
};

export type FunctionSite = {
  readonly node: Node;
  /** The offset of the node; 0 for the module itself. */
  readonly start: number;
  /** Conditions of the function and their parts. */
  readonly conditions: Node[];
  readonly returns: boolean;
};

type Place = {
  readonly scope: VisibleScope;
  readonly function: FunctionSite;
  readonly inLoop: boolean;
};

export type ExpressionSite = Place & { readonly node: Node; readonly role: Role };

export type StatementSite = Place & {
  readonly node: Node;
  /** The statement before and after it in the same list. */
  readonly previous: Node | null;
  readonly next: Node | null;
  readonly inBlock: boolean;
};

/** A place between the statements of a list, where one can be inserted. */
export type InsertionPoint = Place & {
  readonly offset: number;
  readonly next: Node | null;
  readonly previous: Node | null;
};

export type Sites = {
  readonly functions: readonly FunctionSite[];
  readonly expressions: readonly ExpressionSite[];
  readonly statements: readonly StatementSite[];
  readonly positions: readonly InsertionPoint[];
  /** Where steps are counted: bodies of functions and of loops. */
  readonly bodies: readonly Node[];
  readonly loops: readonly Node[];
};

/** The names that are visible at an offset, nearest first, without those of the module. */
export function localNames(scope: VisibleScope, offset: number): readonly ScopedName[] {
  const found = new Map<string, ScopedName>();
  for (let at: VisibleScope | null = scope; at !== null && !at.isFile; at = at.outer)
    for (const each of at.names) if (each.from < offset && !found.has(each.name)) found.set(each.name, each);
  return [...found.values()];
}

export function fileNames(scope: VisibleScope): readonly ScopedName[] {
  let at = scope;
  while (at.outer !== null) at = at.outer;
  return at.names;
}

export function declarationOf(scope: VisibleScope, name: string): ScopedName | null {
  for (let at: VisibleScope | null = scope; at !== null; at = at.outer) {
    const found = at.names.find((each) => each.name === name);
    if (found !== undefined) return found;
  }
  return null;
}

/** The places of a file where changes are proposed. */
export function sitesOf(program: Node): Sites {
  const functions: FunctionSite[] = [];
  const expressions: ExpressionSite[] = [];
  const statements: StatementSite[] = [];
  const positions: InsertionPoint[] = [];
  const bodies: Node[] = [];
  const loops: Node[] = [];

  const visitList = (list: readonly Node[], place: Place, end: number): void => {
    const inner = { ...place, scope: { names: declarationsOf(list), outer: place.scope, isFile: false } };
    visitStatements(list, inner, end);
  };

  const visitStatements = (list: readonly Node[], place: Place, end: number): void => {
    for (const [i, node] of list.entries()) {
      const [previous, next] = [list[i - 1] ?? null, list[i + 1] ?? null];
      if (node.directive == null) positions.push({ ...place, offset: node.start, next: node, previous });
      visitStatement(node, place, { previous, next, inBlock: true });
    }
    positions.push({ ...place, offset: end, next: null, previous: list.at(-1) ?? null });
  };

  const visitBody = (node: Node, place: Place): void => {
    if (node.type === "BlockStatement") return visitList(node.body, place, node.end - 1);
    visitStatement(node, place, { previous: null, next: null, inBlock: false });
  };

  const visitStatement = (
    node: Node,
    place: Place,
    around: Pick<StatementSite, "previous" | "next" | "inBlock">,
  ): void => {
    if (isTypeSyntax(node) || node.directive != null || node.declare === true) return;
    if (node.type !== "BlockStatement") statements.push({ ...place, ...around, node });
    visitInside(node, place);
  };

  const visitInside = (node: Node, place: Place): void => {
    const condition = (test: Node, inside = place): void => {
      addConditions(place.function, test);
      visit(test, "condition", inside);
    };
    switch (node.type) {
      case "BlockStatement":
        return visitList(node.body, place, node.end - 1);
      case "ExpressionStatement":
        return visit(node.expression, "discarded", place);
      case "IfStatement":
        condition(present(node.test));
        visitBody(node.consequent, place);
        if (node.alternate !== null) visitBody(node.alternate, place);
        return;
      case "WhileStatement":
      case "DoWhileStatement": {
        const inside = { ...place, inLoop: true };
        condition(present(node.test), inside);
        loops.push(node);
        bodies.push(node.body);
        return visitBody(node.body, inside);
      }
      case "ForStatement": {
        const names = node.init?.type === "VariableDeclaration" ? declarationsOf([node.init]) : [];
        const inside = { ...place, scope: { names, outer: place.scope, isFile: false }, inLoop: true };
        if (node.init?.type === "VariableDeclaration") visitDeclaration(node.init, inside);
        else if (node.init !== null) visit(node.init, "discarded", inside);
        if (node.test !== null) condition(node.test, inside);
        if (node.update !== null) visit(node.update, "discarded", inside);
        loops.push(node);
        bodies.push(node.body);
        return visitBody(node.body, inside);
      }
      case "ForOfStatement":
      case "ForInStatement": {
        const names = node.left.type === "VariableDeclaration" ? declarationsOf([node.left]) : [];
        const visible = names.map((each) => ({ ...each, from: node.right.end }));
        const inside = { ...place, scope: { names: visible, outer: place.scope, isFile: false }, inLoop: true };
        visit(node.right, "iterated", place);
        loops.push(node);
        bodies.push(node.body);
        return visitBody(node.body, inside);
      }
      case "ReturnStatement":
      case "ThrowStatement":
        if (node.argument !== null) visit(node.argument, node.type === "ReturnStatement" ? "returned" : "other", place);
        return;
      case "SwitchStatement": {
        visit(node.discriminant, "compared", place);
        const names = declarationsOf(node.cases.flatMap((each) => [...each.consequent]));
        const inside = { ...place, scope: { names, outer: place.scope, isFile: false } };
        for (const each of node.cases) {
          if (each.test !== null) visit(each.test, "compared", inside);
          visitStatements(each.consequent, inside, each.end);
        }
        return;
      }
      case "LabeledStatement":
        // A labelled loop must stay directly behind its label.
        return visitInside(node.body, place);
      case "TryStatement":
        visitBody(node.block, place);
        if (node.handler !== null) {
          const names = node.handler.param === null ? [] : named(node.handler.param, "other", null, -1);
          visitBody(node.handler.body, { ...place, scope: { names, outer: place.scope, isFile: false } });
        }
        if (node.finalizer !== null) visitBody(node.finalizer, place);
        return;
      case "VariableDeclaration":
        return visitDeclaration(node, place);
      case "ExportNamedDeclaration":
      case "ExportDefaultDeclaration":
        if (node.declaration === null) return;
        if (isTypeSyntax(node.declaration)) return;
        if (/Declaration$/.test(node.declaration.type)) {
          return visitStatement(node.declaration, place, { previous: null, next: null, inBlock: false });
        }
        return visit(node.declaration, "other", place);
      case "FunctionDeclaration":
        return visitFunction(node, place);
      case "ClassDeclaration":
        return visitClass(node, place);
    }
  };

  const visitClass = (node: Node, place: Place): void => {
    for (const member of node.body.body as readonly Node[]) {
      if (member.type === "StaticBlock") visitList(member.body, place, member.end - 1);
      else if (member.declare === true || isTypeSyntax(member)) continue;
      else if (member.value !== null && isFunction(member.value)) visitFunction(member.value, place);
      else if (member.value != null) visit(member.value, "assigned", place);
    }
  };

  const visitDeclaration = (node: Node, place: Place): void => {
    for (const each of node.declarations) {
      visitPattern(present(each.id), place);
      if (each.init !== null) visit(each.init, "assigned", place);
    }
  };

  /** Default values and computed keys inside of a pattern. */
  const visitPattern = (node: Node, place: Place): void => {
    switch (node.type) {
      case "AssignmentPattern":
        visitPattern(node.left, place);
        return visit(node.right, "assigned", place);
      case "ArrayPattern":
        for (const each of node.elements) if (each !== null) visitPattern(each, place);
        return;
      case "ObjectPattern":
        for (const each of node.properties) if (each.type !== "RestElement") visitPattern(each.value, place);
        return;
      case "TSParameterProperty":
        return visitPattern(node.parameter, place);
      case "MemberExpression":
        return visitTarget(node, place);
    }
  };

  /** The left side of an assignment: its parts are values, it is not. */
  const visitTarget = (node: Node, place: Place): void => {
    const target = withoutTypes(node);
    if (target.type === "MemberExpression") return visitMember(target, place);
    if (/Pattern$/.test(target.type)) return visitPattern(target, place);
  };

  const visitMember = (node: Node, place: Place): void => {
    if (node.object.type !== "Super") visit(node.object, "object", place);
    if (node.computed) visit(node.property, "index", place);
  };

  /** Values inside of markup. */
  const visitMarkup = (node: Node, place: Place): void => {
    for (const child of children(node)) {
      if (node.type === "JSXExpressionContainer" && !child.type.startsWith("JSX")) visit(child, "element", place);
      else visitMarkup(child, place);
    }
  };

  const visitFunction = (node: Node, place: Place): void => {
    if ((node.body as Node | null) === null) return;
    const site: FunctionSite = {
      node,
      start: node.start,
      conditions: [],
      returns: node.body.type !== "BlockStatement",
    };
    functions.push(site);
    bodies.push(node.body);
    const names = node.params.flatMap((param) => named(param, "parameter", null, -1));
    const inside = { scope: { names, outer: place.scope, isFile: false }, function: site, inLoop: false };
    for (const param of node.params) visitPattern(param, inside);
    if (node.body.type === "BlockStatement") visitList(node.body.body, inside, node.body.end - 1);
    else visit(node.body, "returned", inside);
  };

  /** Inside of an optional chain only arguments and keys are values of their own. */
  const visitChain = (node: Node, place: Place): void => {
    if (node.type === "CallExpression") {
      visitChain(node.callee, place);
      for (const each of node.arguments) visitArgument(each, place);
    } else if (node.type === "MemberExpression") {
      visitChain(node.object, place);
      if (node.computed) visit(node.property, "index", place);
    } else if (node.type === "TSNonNullExpression") visitChain(node.expression, place);
    else if (node.type !== "Super") visit(node, "object", place);
  };

  const visitArgument = (node: Node, place: Place): void => {
    if (node.type === "SpreadElement") visit(present(node.argument), "iterated", place);
    else visit(node, "argument", place);
  };

  const visit = (node: Node, role: Role, place: Place): void => {
    if (isTypeSyntax(node)) return;
    if (isFunction(node)) return visitFunction(node, place);
    if (node.type.startsWith("TS")) {
      const inner = withoutTypes(node);
      // Declarations of types alone have nothing inside.
      return inner === node ? undefined : visit(inner, role, place);
    }
    if (node.type === "ClassExpression") return visitClass(node, place);
    if (node.type === "Super" || node.type === "MetaProperty" || node.type === "ImportExpression") return;
    if (node.type.startsWith("JSX")) return visitMarkup(node, place);
    expressions.push({ ...place, node, role });
    switch (node.type) {
      case "BinaryExpression": {
        const inner = isComparison(node.operator) ? "compared" : "operand";
        if (node.left.type !== "PrivateIdentifier") visit(node.left, inner, place);
        return visit(node.right, inner, place);
      }
      case "LogicalExpression": {
        const inner = node.operator === "??" ? "operand" : "truth";
        visit(node.left, inner, place);
        return visit(node.right, role === "discarded" ? "discarded" : inner, place);
      }
      case "UnaryExpression": {
        const argument = present(node.argument);
        if (node.operator === "delete") return visitTarget(argument, place);
        if (node.operator === "typeof" && argument.type === "Identifier") return;
        return visit(argument, node.operator === "!" ? "truth" : "operand", place);
      }
      case "UpdateExpression":
        return visitTarget(present(node.argument), place);
      case "AssignmentExpression":
        visitTarget(node.left, place);
        return visit(node.right, "assigned", place);
      case "ConditionalExpression":
        addConditions(place.function, present(node.test));
        visit(present(node.test), "condition", place);
        visit(node.consequent, role, place);
        return visit(present(node.alternate), role, place);
      case "MemberExpression":
        return visitMember(node, place);
      case "ChainExpression":
        return visitChain(node.expression, place);
      case "CallExpression":
      case "NewExpression":
        if (withoutTypes(node.callee).type === "MemberExpression") visitMember(withoutTypes(node.callee), place);
        else if (isFunction(node.callee)) visitFunction(node.callee, place);
        else if (node.callee.type !== "Identifier" && node.callee.type !== "Super") visit(node.callee, "other", place);
        for (const each of node.arguments) visitArgument(each, place);
        return;
      case "TaggedTemplateExpression":
        for (const each of node.quasi.expressions) visit(each, "element", place);
        return;
      case "TemplateLiteral":
        for (const each of node.expressions) visit(each, "element", place);
        return;
      case "ArrayExpression":
        for (const each of node.elements)
          if (each?.type === "SpreadElement") visit(present(each.argument), "iterated", place);
          else if (each !== null) visit(each, "element", place);
        return;
      case "ObjectExpression":
        for (const each of node.properties) {
          if (each.type === "SpreadElement") visit(present(each.argument), "other", place);
          else {
            if (each.computed) visit(each.key, "other", place);
            // `{ x }` cannot become `{ (x) }`.
            if (!each.shorthand) visit(each.value, "element", place);
          }
        }
        return;
      case "SequenceExpression":
        for (const [i, each] of node.expressions.entries())
          visit(each, i < node.expressions.length - 1 ? "discarded" : role, place);
        return;
      case "AwaitExpression":
      case "YieldExpression":
        if (node.argument !== null) visit(node.argument, role === "discarded" ? "discarded" : "other", place);
        return;
    }
  };

  const top: FunctionSite = { node: program, start: 0, conditions: [], returns: false };
  functions.push(top);
  const scope: VisibleScope = { names: declarationsOf(program.body), outer: null, isFile: true };
  visitStatements(program.body, { scope, function: top, inLoop: false }, program.end);
  return { functions, expressions, statements, positions, bodies, loops };
}

const comparisons: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "!=", "===", "!==", "in", "instanceof"]);

export function isComparison(operator: string): boolean {
  return comparisons.has(operator);
}

/** A condition, and its conjuncts and disjuncts. */
function addConditions({ conditions }: FunctionSite, node: Node): void {
  if (node.type === "LogicalExpression") {
    addConditions({ conditions } as FunctionSite, node.left);
    addConditions({ conditions } as FunctionSite, node.right);
  } else conditions.push(node);
}

function named(pattern: Node, kind: ScopedName["kind"], init: Node | null, from: number): readonly ScopedName[] {
  return boundIdentifiers(pattern).map(({ name }) => ({ name, kind, init, from }));
}

/** What the statements of a list declare. */
function declarationsOf(list: readonly Node[]): readonly ScopedName[] {
  return list.flatMap((statement): readonly ScopedName[] => {
    const node = statement.type.startsWith("Export") ? (statement.declaration ?? statement) : statement;
    if (isTypeSyntax(node) || node.declare === true) return [];
    switch (node.type) {
      case "VariableDeclaration":
        return node.declarations.flatMap((each) =>
          named(present(each.id), node.kind as ScopedName["kind"], each.init, each.end),
        );
      case "FunctionDeclaration":
        return node.id === null ? [] : named(node.id, "function", null, -1);
      case "ClassDeclaration":
        return node.id === null ? [] : named(node.id, "class", null, node.end);
      case "ImportDeclaration":
        return node.specifiers.map(({ local }) => ({ name: local.name, kind: "import", init: null, from: -1 }));
      default:
        return [];
    }
  });
}
