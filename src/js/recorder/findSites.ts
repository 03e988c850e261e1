import { present } from "../../base/checked.ts";
import {
  changesLength,
  exportNames,
  type Holder,
  initialFields,
  keyName,
  leftOutBecause,
  movesBehindSuper,
  nameFor,
  plainHolder,
  privateFields,
  propertyKind,
  usesThis,
} from "./functionShape.ts";
import { isPlainName, resolveNames } from "./scopes.ts";
import type { FunctionSites, LogSite, SiteKind, SiteTable } from "./site.ts";
import { boundIdentifiers, children, isFunction, type Node, withoutTypes } from "./syntax.ts";

/** The function whose code is looked at. */
type Frame = { readonly node: Node; readonly sites: FunctionSites; readonly recorded: boolean; tests: number };

/**
 * Decides which nodes are sites and numbers them. The instrumenter wraps exactly these; the replay takes an event at
 * exactly these.
 */
export function findSites({ program, typed }: { readonly program: Node; readonly typed: boolean }): SiteTable {
  const { bindingOf } = resolveNames(program);
  const sites: LogSite[] = [];
  const functions = new Map<Node, FunctionSites>();
  const values = new Map<Node, LogSite>();
  const tests = new Map<Node, LogSite>();
  const returns = new Map<Node, LogSite>();
  const bound = new Map<Node, readonly LogSite[]>();
  const caught = new Map<Node, LogSite>();
  const exported = exportNames(program);

  function site(kind: SiteKind, node: Node, name: string | null = null, test: number | null = null): LogSite {
    const made: LogSite = { index: sites.length, kind, node, name, test };
    sites.push(made);
    return made;
  }

  function isOwnLocal(identifier: Node, frame: Frame): boolean {
    const binding = bindingOf.get(identifier);
    return binding != null && binding.owner === frame.node && !binding.assignedInside;
  }

  function value(frame: Frame, node: Node, kind: SiteKind = "value"): void {
    if (frame.recorded) values.set(node, site(kind, node));
  }

  /** A condition, or an operand that decides what is evaluated next. */
  function test(frame: Frame, node: Node, kind: "test" | "left" | "switch"): void {
    if (!frame.recorded) return;
    const known = values.get(node);
    const number = frame.tests++;
    if (known === undefined) tests.set(node, site(kind, node, null, number));
    else {
      const both: LogSite = { ...known, test: number };
      sites[known.index] = both;
      values.set(node, both);
      tests.set(node, both);
    }
  }

  function bind(frame: Frame, node: Node, patterns: readonly Node[]): void {
    const names = patterns.flatMap(boundIdentifiers);
    const bind = (name: Node): LogSite => site("bound", name, name.name);
    if (frame.recorded && names.length > 0) bound.set(node, names.map(bind));
  }

  function enterFunction(node: Node, holder: Holder, parent: FunctionSites | null): void {
    const kind = node.type === "ArrowFunctionExpression" ? "arrow" : holder.kind;
    const derived = kind === "constructor" && holder.classNode?.superClass != null;
    const isMoved = derived && movesBehindSuper(node, present(holder.classNode), typed);
    const leftOut = isMoved ? "a compiler puts fields behind its `super()`" : leftOutBecause(node);
    const recorded = leftOut === null;
    const own = holder.name ?? node.id?.name ?? "<anonymous>";
    const prefix = holder.className ?? parent?.name ?? null;
    const enter = recorded ? site("enter", node) : null;
    const wantsThis = recorded && kind !== "arrow" && !derived && (kind !== "function" || usesThis(node));
    const isBase = recorded && kind === "constructor" && !derived && holder.classNode !== null;
    const made: FunctionSites = {
      node,
      name: prefix === null ? own : `${prefix}.${own}`,
      kind,
      className: holder.className,
      static: holder.static,
      exported: exported.get(node) ?? (holder.classNode === null ? null : (exported.get(holder.classNode) ?? null)),
      derived,
      parent,
      leftOut,
      enter,
      thisSite: wantsThis ? site("this", node) : null,
      params: recorded ? node.params.flatMap(boundIdentifiers).map((name) => site("param", name, name.name)) : [],
      fields: isBase ? initialFields(present(holder.classNode)).map((name) => site("field", node, name)) : [],
      privates: holder.classNode !== null && !holder.static && !derived ? privateFields(holder.classNode) : [],
    };
    functions.set(node, made);
    const frame: Frame = { node, sites: made, recorded, tests: 0 };
    // Default values run before the call is entered: functions inside of them count, their own expressions do not.
    for (const param of node.params) visitAll(param, unrecorded(frame));
    if (node.body.type === "BlockStatement") for (const statement of node.body.body) visit(statement, frame);
    else {
      visit(node.body, frame);
      if (recorded && !values.has(node.body)) returns.set(node.body, site("return", node.body));
    }
  }

  function visitAll(node: Node, frame: Frame | null): void {
    for (const child of children(node)) if (!isPlainName(node, child)) visit(child, frame, nameFor(node, child));
  }

  function visitClass(node: Node, frame: Frame | null, name: string | null): void {
    const className = node.id?.name ?? name ?? "<class>";
    if (node.superClass !== null) visit(node.superClass, frame);
    for (const member of node.body.body) {
      if (member.computed) visit(member.key, frame);
      if (member.type === "MethodDefinition" && isFunction(member.value)) {
        const name = keyName(member) ?? "<computed>";
        const kind = propertyKind(member);
        enterFunction(member.value, { kind, name, classNode: node, className, static: member.static }, null);
      } else if (member.type === "PropertyDefinition" && member.value !== null) {
        if (isFunction(member.value))
          enterFunction(member.value, { ...plainHolder, name: keyName(member), className }, null);
        else visit(member.value, null);
      } else if (member.type === "StaticBlock") for (const statement of member.body) visit(statement, null);
    }
  }

  /** The parts of an assignment's target that are evaluated. */
  function visitTarget(node: Node, frame: Frame | null): void {
    const target = withoutTypes(node);
    if (target.type === "MemberExpression") {
      visit(target.object, frame);
      if (target.computed) visit(target.property, frame);
    } else if (target.type !== "Identifier") visitAll(target, unrecorded(frame));
  }

  /** Parts that are evaluated under conditions that the log does not show. Functions inside of them are recorded. */
  function unrecorded(frame: Frame | null): Frame | null {
    return frame === null ? null : { node: frame.node, sites: frame.sites, recorded: false, tests: 0 };
  }

  function visitChain(node: Node, frame: Frame): void {
    value(frame, node);
    const silent = unrecorded(frame);
    const spine = (part: Node): boolean => {
      const at = withoutTypes(part);
      if (at.type !== "MemberExpression" && at.type !== "CallExpression") return false;
      const base = at.type === "MemberExpression" ? at.object : at.callee;
      const conditional = spine(base);
      if (!conditional && at.optional) {
        // The head is always evaluated; the object of a method that may be missing has to stay its receiver.
        const head = withoutTypes(base);
        if (at.type === "CallExpression" && head.type === "MemberExpression") {
          visit(head.object, frame);
          if (head.computed) visit(head.property, frame);
        } else if (at.type === "MemberExpression") visit(base, frame);
        else visit(base, silent);
      } else if (!conditional) return false;
      if (at.type === "MemberExpression" && at.computed) visit(at.property, silent);
      if (at.type === "CallExpression") for (const argument of at.arguments) visit(argument, silent);
      return true;
    };
    spine(node.expression);
  }

  function visitCall(node: Node, frame: Frame): void {
    const callee = withoutTypes(node.callee);
    value(frame, node, changesLength(node) ? "element" : "value");
    if (node.type === "NewExpression") visit(callee, unrecorded(frame));
    else if (callee.type === "MemberExpression") {
      visit(callee.object, frame);
      if (callee.computed) visit(callee.property, frame);
    } else if (callee.type === "ChainExpression") visit(callee, unrecorded(frame));
    else if (callee.type !== "Identifier" && callee.type !== "Super") visit(callee, frame);
    for (const argument of node.arguments) visit(argument, frame);
  }

  function visitMember(node: Node, frame: Frame): void {
    value(frame, node, node.computed && node.object.type !== "Super" ? "element" : "value");
    visit(node.object, frame);
    if (node.computed) visit(node.property, frame);
  }

  function visitAssignment(node: Node, frame: Frame): void {
    const target = withoutTypes(node.left);
    if (target.type === "MemberExpression") {
      if (node.operator !== "=") value(frame, node);
      else if (target.computed && target.object.type !== "Super" && target === node.left) value(frame, node, "store");
    } else if (target.type === "Identifier" && node.operator !== "=" && !isOwnLocal(target, frame)) value(frame, node);
    visitTarget(node.left, frame);
    // `a ||= b` evaluates b only sometimes.
    visit(node.right, /^(&&|\|\||\?\?)=$/.test(node.operator) ? unrecorded(frame) : frame, nameFor(node, node.right));
  }

  function visitUnary(node: Node, frame: Frame): void {
    const operand = withoutTypes(present(node.argument));
    if (node.operator === "delete") {
      value(frame, node);
      if (operand.type === "MemberExpression") visitTarget(operand, frame);
      else visitAll(operand, unrecorded(frame));
    } else if (node.operator === "typeof" && operand.type === "Identifier") {
      if (!isOwnLocal(operand, frame)) value(frame, node);
    } else visit(present(node.argument), frame);
  }

  function visitUpdate(node: Node, frame: Frame, operand = withoutTypes(present(node.argument))): void {
    if (operand.type === "MemberExpression" || !isOwnLocal(operand, frame)) value(frame, node);
    visitTarget(operand, frame);
  }

  function visitLoop(node: Node, frame: Frame): void {
    visit(node.right, frame);
    if (node.left.type === "VariableDeclaration")
      bind(
        frame,
        node,
        node.left.declarations.map((declarator) => present(declarator.id)),
      );
    else bind(frame, node, [withoutTypes(node.left)]);
    visitAll(node.left, unrecorded(frame));
    visit(node.body, frame);
  }

  function visitDeclaration(node: Node, frame: Frame, inHead: boolean): void {
    for (const declarator of node.declarations) {
      if (present(declarator.id).type !== "Identifier") visitAll(present(declarator.id), unrecorded(frame));
      if (declarator.init !== null) visit(declarator.init, frame, nameFor(declarator, declarator.init));
    }
    const patterns = node.declarations
      .map((declarator) => present(declarator.id))
      .filter((id) => id.type !== "Identifier");
    if (!inHead) bind(frame, node, patterns);
  }

  /** Expressions and statements inside of a recorded function. */
  function visitInside(node: Node, frame: Frame, name: string | null): void {
    switch (node.type) {
      case "Identifier":
        if (!isOwnLocal(node, frame) && node.name !== "undefined") value(frame, node);
        return;
      case "ThisExpression":
        if (frame.sites.kind === "arrow" || frame.sites.derived) value(frame, node);
        return;
      case "MemberExpression":
        return visitMember(node, frame);
      case "ChainExpression":
        return visitChain(node, frame);
      case "CallExpression":
      case "NewExpression":
        return visitCall(node, frame);
      case "AssignmentExpression":
        return visitAssignment(node, frame);
      case "UpdateExpression":
        return visitUpdate(node, frame);
      case "UnaryExpression":
        return visitUnary(node, frame);
      case "AwaitExpression":
      case "YieldExpression":
        value(frame, node, "resume");
        if (node.argument !== null) visit(node.argument, frame);
        return;
      case "ObjectExpression":
      case "ArrayExpression":
      case "ImportExpression":
        value(frame, node);
        return visitAll(node, frame);
      case "MetaProperty":
        return value(frame, node);
      case "Literal":
        return node.regex == null ? undefined : value(frame, node);
      case "TaggedTemplateExpression":
        value(frame, node);
        return visit(node.quasi, frame);
      case "BinaryExpression":
        if (node.operator === "in" || node.operator === "instanceof") value(frame, node);
        if (node.left.type !== "PrivateIdentifier") visit(node.left, frame);
        return visit(node.right, frame);
      case "LogicalExpression":
        visit(node.left, frame);
        test(frame, node.left, "left");
        return visit(node.right, frame);
      case "ConditionalExpression":
      case "IfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
        visit(present(node.test), frame);
        test(frame, present(node.test), "test");
        for (const child of children(node)) if (child !== node.test) visit(child, frame);
        return;
      case "ForStatement":
        if (node.init?.type === "VariableDeclaration") visitDeclaration(node.init, frame, true);
        else if (node.init !== null) visit(node.init, frame);
        if (node.test !== null) {
          visit(node.test, frame);
          test(frame, node.test, "test");
        }
        if (node.update !== null) visit(node.update, frame);
        return visit(node.body, frame);
      case "ForInStatement":
      case "ForOfStatement":
        return visitLoop(node, frame);
      case "SwitchStatement":
        visit(node.discriminant, frame);
        test(frame, node.discriminant, "switch");
        return node.cases.forEach((one) => void visitAll(one, frame));
      case "VariableDeclaration":
        return visitDeclaration(node, frame, false);
      case "ExpressionStatement": {
        if (node.directive !== null && node.directive !== undefined) return;
        const expression = node.expression as Node;
        visit(expression, frame);
        if (expression.type === "AssignmentExpression" && /Pattern$/.test(expression.left.type))
          bind(frame, expression, [expression.left]);
        return;
      }
      case "ReturnStatement":
        if (node.argument === null) return;
        visit(node.argument, frame);
        if (frame.recorded && !values.has(node.argument)) returns.set(node, site("return", node.argument));
        return;
      case "CatchClause":
        if (frame.recorded) caught.set(node, site("caught", node, node.param?.name ?? null));
        if (node.param !== null && node.param.type !== "Identifier") bind(frame, node, [node.param]);
        return visit(node.body, frame);
      default:
        return visitNested(node, frame, name);
    }
  }

  function visitNested(node: Node, frame: Frame | null, name: string | null): void {
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") visitClass(node, frame, name);
    else if (isFunction(node)) enterFunction(node, { ...plainHolder, name }, frame?.sites ?? null);
    else if (node.type === "Property" && !node.computed && isFunction(node.value))
      enterFunction(
        node.value,
        { ...plainHolder, kind: propertyKind(node), name: keyName(node) },
        frame?.sites ?? null,
      );
    else if (node.type !== "Decorator") visitAll(node, frame);
  }

  function visit(node: Node, frame: Frame | null, name: string | null = null): void {
    if (frame === null) visitNested(node, null, name);
    else visitInside(node, frame, name);
  }

  for (const statement of program.body) visit(statement, null);
  return { sites, functions, values, tests, returns, bound, caught, bindingOf };
}
