import { boundIdentifiers, children, isFunction, type Node, withoutTypes } from "../../recorder/syntax.ts";
import { mutators } from "../mutators.ts";
import { runtimeName } from "../runtimeName.ts";
import { assignedNames, fieldText, plainPath, type Writes } from "./assignments.ts";
import { argumentParts, keep, rewriteExpression, takesName } from "./expressions.ts";
import { classText, functionText } from "./functions.ts";
import {
  type DeclaredName,
  declaredNames,
  type Edit,
  type EventKindAtSite,
  patternPaths,
  type Rewriter,
} from "./rewriter.ts";

/** The edits of a list of statements; the names that it declares are in scope already. */
export function rewriteList(to: Rewriter, list: readonly Node[]): readonly Edit[] {
  return list
    .filter(({ directive }) => directive == null)
    .map((each) => {
      const text = rewriteStatement(to, each);
      return edit(each, text + to.missingLines(each, text));
    });
}

function edit({ start, end }: Node, text: string): Edit {
  return [start, end, text];
}

function rewriteStatement(to: Rewriter, node: Node, labels = ""): string {
  switch (node.type) {
    case "ExpressionStatement":
      if (node.expression.type === "CallExpression" && node.expression.callee.type === "Super")
        return rewriteSuper(to, node);
      return `${at(to, node)}(${rewriteExpression(to, node.expression as Node).value});`;
    case "VariableDeclaration":
      return node.declare || node.kind.includes("using") ? keep(to, node) : rewriteDeclaration(to, node, "");
    case "FunctionDeclaration":
      return functionText(to, node);
    case "ClassDeclaration":
      return classText(to, node);
    case "ReturnStatement":
      return rewriteReturn(to, node);
    case "ThrowStatement": {
      const { value, event } = rewriteExpression(to, node.argument as Node);
      const site = to.siteOf("throw", node, to.functionName);
      return `${atSite(to, site)}throw ${runtimeName}.thrown(${site},${value},${event});`;
    }
    case "BlockStatement":
      return labels + block(to, node);
    case "IfStatement":
      return rewriteIf(to, node, labels);
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return rewriteLoop(to, node, labels);
    case "ForOfStatement":
    case "ForInStatement":
      return rewriteEach(to, node, labels);
    case "SwitchStatement":
      return rewriteSwitch(to, node, labels);
    case "TryStatement":
      return rewriteTry(to, node, labels);
    case "LabeledStatement":
      return rewriteStatement(to, node.body, `${labels}${to.raw(node.label as Node)}:`);
    case "ExportNamedDeclaration":
      return rewriteExport(to, node);
    case "ExportDefaultDeclaration":
      return rewriteDefaultExport(to, node);
    case "WithStatement":
      return labels + to.raw(node);
    default:
      return labels + keep(to, node);
  }
}

/** Compilers of TypeScript look for a plain `super(…)`: fields are set behind it. */
function rewriteSuper(to: Rewriter, node: Node): string {
  const call: Node = node.expression;
  const site = to.siteOf("call", call, "super");
  const given = [site, ...argumentParts(to, call)].join(",");
  const text = `super(...${runtimeName}.beforeSuper(${given}));${runtimeName}.afterSuper(${site},this);`;
  return at(to, node) + text;
}

function atSite(to: Rewriter, site: number, ...more: readonly string[]): string {
  return `${runtimeName}.at(${[site, to.frame, ...more].join(",")});`;
}

function at(to: Rewriter, node: Node, kind: EventKindAtSite = "statement"): string {
  return atSite(to, to.siteOf(kind, node, to.functionName));
}

/** The head of a compound statement: `if (x > 3)`, `for (const a of b)`. */
function headSite(to: Rewriter, kind: EventKindAtSite, { start }: Node, body: Node | null, end: number): number {
  const text = to.text.slice(start, body === null ? end : body.start);
  return to.site(kind, start, start + text.trimEnd().length, to.functionName);
}

function block(to: Rewriter, node: Node): string {
  return to.inScope(declaredNames(node.body), () => to.splice(node.start, node.end, rewriteList(to, node.body)));
}

/** The body of a compound statement, always as a block. */
function body(to: Rewriter, node: Node): string {
  if (node.type === "BlockStatement") return block(to, node);
  if (node.type === "FunctionDeclaration") return to.raw(node);
  return `{${rewriteStatement(to, node)}}`;
}

function rewriteReturn(to: Rewriter, node: Node): string {
  const site = to.siteOf("return", node, to.functionName);
  if (node.argument === null)
    return `${atSite(to, site)}${runtimeName}.returns(${site},undefined,0,${to.frame});return;`;
  const { value, event } = rewriteExpression(to, node.argument);
  return `${atSite(to, site)}return ${to.runtime("returns", [site, value, event, to.frame], node)};`;
}

/** `const x = 1, x$$ = …`: the variable with the event is declared beside its variable. */
function rewriteDeclaration(to: Rewriter, node: Node, exported: string): string {
  const parts = node.declarations.map((each) => declarator(to, node, each));
  if (exported === "")
    return `${at(to, node)}${node.kind} ${parts.flatMap(({ own, events }) => [own, ...events]).join(",")};`;
  const kind = node.kind === "var" ? "var" : "let";
  const texts = parts.map(({ own, events, names }) => {
    const told = names.map((name) => `${runtimeName}.exported(${JSON.stringify(name)},${name},${name}${to.mark});`);
    return `${exported}${node.kind} ${own};${events.length === 0 ? "" : `${kind} ${events.join(",")};`}${told.join("")}`;
  });
  return `${at(to, node)}${texts.join("")}`;
}

type Declarator = { readonly own: string; readonly events: readonly string[]; readonly names: readonly string[] };

function declarator(to: Rewriter, declaration: Node, node: Node): Declarator {
  const id = node.id as Node;
  const end = Math.max(id.end, (id as unknown as { typeAnnotation?: Node | null }).typeAnnotation?.end ?? 0);
  const names = boundIdentifiers(id).map(({ name }) => name);
  if (id.type === "Identifier") {
    const left = to.text.slice(id.start, end);
    const own = `${id.name}${to.mark}`;
    const site = to.site("write", node.start, node.end, id.name);
    if (node.init === null) {
      if (declaration.kind === "var") return { own: left, events: [own], names };
      return { own: left, events: [`${own}=${runtimeName}.assign(${site},undefined,0)`], names };
    }
    const { value, event } = rewriteExpression(to, node.init, id.name);
    const events = [takesName(node.init) ? `${own}=0` : `${own}=${runtimeName}.assign(${site},${id.name},${event})`];
    return { own: `${left}=${value}`, events, names };
  }
  const left = keep(to, id) + to.text.slice(id.end, end);
  const [kept, event] = [to.temp(), to.temp()];
  if (node.init === null || kept === null || event === null) {
    const init = node.init === null ? "" : `=${keep(to, node.init)}`;
    return { own: `${left}${init}`, events: names.map((name) => `${name}${to.mark}=0`), names };
  }
  const init = rewriteExpression(to, node.init);
  return {
    own: `${left}=(${kept}=${init.value},${event}=${init.event},${kept})`,
    events: patternPaths(id).map(({ target, path }) => {
      return `${target.name}${to.mark}=${fieldText(to, target, target.name, kept, event, path)}`;
    }),
    names,
  };
}

/** Null where no variable can be declared; statements are always inside of functions or modules. */
function temp(to: Rewriter): string {
  return to.temp() ?? `${to.mark}0`;
}

function rewriteIf(to: Rewriter, node: Node, labels: string): string {
  const test = node.test as Node;
  const before = temp(to);
  const site = headSite(to, "condition", node, node.consequent, node.end);
  const { value, event } = rewriteExpression(to, test);
  const writes = writesOf(to, node);
  const then = body(to, node.consequent);
  const other = node.alternate === null ? "" : `else ${body(to, node.alternate)}`;
  const tested = to.runtime("test", [site, value, event, to.frame], { start: node.start, end: node.consequent.start });
  const after = writes.jumps ? `${runtimeName}.passed(${to.frame});` : `${to.frame}.c=${before};`;
  return `{${atSite(to, site)}${before}=${to.frame}.c;${labels}if(${tested})${then}${other}${skips(to, node, writes)}${after}}`;
}

function rewriteLoop(to: Rewriter, node: Node, labels: string): string {
  const before = temp(to);
  const names =
    node.init?.type === "VariableDeclaration" ? declaredNames([node.init]) : new Map<string, DeclaredName>();
  return to.inScope(names, () => {
    const isDo = node.type === "DoWhileStatement";
    const site = isDo
      ? to.site("loop", (node.test as Node).start, node.end, to.functionName)
      : headSite(to, "loop", node, node.body, node.end);
    const initial = node.init === null || node.init === undefined ? "" : loopStart(to, node.init);
    const tested = node.test === null ? null : rewriteExpression(to, node.test);
    const test =
      tested === null
        ? ""
        : `${atSite(to, site, before).slice(0, -1)},${runtimeName}.test(${site},${tested.value},${tested.event},${to.frame})`;
    const round = to.site(
      "statement",
      node.update?.start ?? node.start,
      node.update?.end ?? node.start,
      to.functionName,
    );
    const update =
      node.update == null ? "" : `${atSite(to, round).slice(0, -1)},${rewriteExpression(to, node.update).value}`;
    const writes = writesOf(to, node);
    const inner = body(to, node.body);
    const head = { start: node.start, end: node.body.start };
    const loop = isDo
      ? `do ${inner}while(${test});`
      : node.type === "WhileStatement"
        ? `while(${test}${to.missingLines(head, test)})${inner}`
        : `for(${initial};${test};${update}${to.missingLines(head, initial + test + update)})${inner}`;
    const start = initial === "" ? "" : atSite(to, site);
    return `{${start}${before}=${to.frame}.c;${labels}${loop}${skips(to, node, writes)}${after(to, site, writes, before)}}`;
  });
}

/** After a loop that can return from inside, the rest runs because nothing returned. */
function after(to: Rewriter, site: number, writes: Writes, before: string): string {
  return writes.jumps ? `${runtimeName}.left(${site},${to.frame},${before});` : `${to.frame}.c=${before};`;
}

function loopStart(to: Rewriter, init: Node): string {
  if (init.type !== "VariableDeclaration") return rewriteExpression(to, init).value;
  const parts = init.declarations.map((each) => declarator(to, init, each));
  return `${init.kind} ${parts.flatMap(({ own, events }) => [own, ...events]).join(",")}`;
}

function rewriteEach(to: Rewriter, node: Node, labels: string): string {
  const { left, right } = node;
  const declared = left.type === "VariableDeclaration" ? (left.declarations[0]?.id ?? null) : null;
  const target = declared ?? withoutTypes(left);
  if (declared !== null && left.kind.includes("using")) return labels + keep(to, node);
  const [before, items, source, index] = [temp(to), temp(to), temp(to), temp(to)];
  const site = headSite(to, "loop", node, node.body, node.end);
  const head = to.siteOf("write", target, to.raw(target));
  const iterable = rewriteExpression(to, right);
  const isOf = node.type === "ForOfStatement";
  const names = declared === null ? new Map<string, DeclaredName>() : declaredNames([left]);
  const writes = writesOf(to, node);
  const text = to.inScope(names, () => {
    const kind = left.kind === "var" ? "var" : "let";
    const round = (value: string) => `${runtimeName}.round(${head},${items},${source},${index}++,${value},${to.frame})`;
    const step = atSite(to, site, before);
    let [binding, first] = [to.raw(left), ""];
    if (target.type === "Identifier") {
      const event = declared === null ? to.writableEventOf(target.name) : to.eventOf(target.name);
      first =
        event === null
          ? `${round(target.name)};`
          : `${declared === null ? "" : `${kind} `}${event}=${round(target.name)};`;
    } else if (declared !== null) {
      const [item, event] = [`${to.mark}i`, `${to.mark}e`];
      binding = `const ${item}`;
      const fields = patternPaths(target).map(({ target: each, path }) => {
        return `${each.name}${to.mark}=${fieldText(to, each, each.name, item, event, path)}`;
      });
      first = `const ${event}=${round(item)};${left.kind} ${keep(to, target)}=${item};${kind} ${fields.join(",") || `${to.mark}n`};`;
    } else first = `${round("undefined")};`;
    const inner = body(to, node.body);
    const stored = `(${items}=${iterable.value},${source}=${iterable.event},${index}=0,${items})`;
    const lines = to.missingLines({ start: node.start, end: node.body.start }, stored);
    return `for${node.await ? " await" : ""}(${binding} ${isOf ? "of" : "in"} ${stored}${lines}){${step}${first}${inner}}`;
  });
  const ended = `${runtimeName}.ended(${site},${items},${source},${to.frame},${before});`;
  return `{${atSite(to, site)}${before}=${to.frame}.c;${labels}${text}${ended}${skips(to, node, writes)}${after(to, site, writes, before)}}`;
}

function rewriteSwitch(to: Rewriter, node: Node, labels: string): string {
  const before = temp(to);
  const site = to.site("condition", node.start, node.discriminant.end + 1, to.functionName);
  const { value, event } = rewriteExpression(to, node.discriminant);
  const writes = writesOf(to, node);
  const jumps = node.cases.some(({ consequent }) => (consequent as readonly Node[]).some((each) => returns(each)));
  const tested = to.runtime("test", [site, value, event, to.frame], node.discriminant);
  const statements = node.cases.flatMap(({ consequent }) => consequent as readonly Node[]);
  const edits = to.inScope(declaredNames(statements), () => [
    edit(node.discriminant, tested),
    ...node.cases.flatMap(({ test }) => (test === null ? [] : [edit(test, keep(to, test))])),
    ...rewriteList(to, statements),
  ]);
  const text = to.splice(node.start, node.end, edits);
  const done = jumps ? `${runtimeName}.passed(${to.frame});` : `${to.frame}.c=${before};`;
  return `{${atSite(to, site)}${before}=${to.frame}.c;${labels}${text}${skips(to, node, writes)}${done}}`;
}

function rewriteTry(to: Rewriter, node: Node, labels: string): string {
  const before = temp(to);
  const { handler, finalizer } = node;
  const writes = writesOf(to, node.block);
  let text = `try${block(to, node.block)}`;
  if (handler !== null) {
    const { param } = handler;
    const names = param === null ? [] : boundIdentifiers(param).map(({ name, start }) => ({ name, from: start }));
    const scope = new Map(names.map(({ name, from }) => [name, { hasEvent: true, from }]));
    const inner = to.inScope(scope, () => block(to, handler.body));
    const site = to.site("condition", handler.start, handler.body.start, to.functionName);
    const isPlain = param?.type === "Identifier";
    const caught = `${runtimeName}.caught(${site},${isPlain ? param.name : "undefined"},${to.frame},${before})`;
    const events = names.map(({ name }) => `${name}${to.mark}=${caught}`);
    const head = param === null ? "catch" : `catch(${keep(to, param)})`;
    text += `${head}{${events.length === 0 ? `${caught};` : `let ${events.join(",")};`}${inner}}`;
  }
  if (finalizer !== null) text += `finally{${runtimeName}.settle(${to.frame});${block(to, finalizer)}}`;
  const done = returns(node) ? `${runtimeName}.passed(${to.frame});` : `${to.frame}.c=${before};`;
  return `{${before}=${to.frame}.c;${labels}${text}${skips(to, node, writes)}${done}}`;
}

function rewriteExport(to: Rewriter, node: Node): string {
  const { declaration } = node;
  if (declaration === null) return to.raw(node);
  const head = to.text.slice(node.start, declaration.start);
  switch (declaration.type) {
    case "VariableDeclaration":
      return declaration.declare ? to.raw(node) : rewriteDeclaration(to, declaration, head);
    case "FunctionDeclaration":
      return head + functionText(to, declaration);
    case "ClassDeclaration":
      return head + classText(to, declaration);
    default:
      return to.raw(node);
  }
}

function rewriteDefaultExport(to: Rewriter, node: Node): string {
  const declaration = node.declaration as Node;
  const head = to.text.slice(node.start, declaration.start);
  if (isFunction(declaration)) return head + functionText(to, declaration, "default");
  if (declaration.type.startsWith("Class")) return head + classText(to, declaration, "default");
  if (declaration.type === "Identifier" || declaration.type.startsWith("TS")) return to.raw(node);
  const { value } = rewriteExpression(to, declaration);
  return `${at(to, node)}export default (${value});`;
}

/** True if a return or throw inside leaves the function. */
function returns(node: Node): boolean {
  if (isFunction(node) || node.type.startsWith("Class")) return false;
  return node.type === "ReturnStatement" || node.type === "ThrowStatement" || children(node).some(returns);
}

/** What a statement may write, and whether a part of it may jump out. */
function writesOf(to: Rewriter, node: Node): Writes {
  const variables = new Set<string>();
  const inner = new Set<string>();
  const members: { readonly object: readonly string[]; readonly key: string | null }[] = [];
  let jumps = false;
  const write = (target: Node): void => {
    const plain = withoutTypes(target);
    if (plain.type !== "MemberExpression") {
      for (const name of assignedNames(plain)) variables.add(name);
      return;
    }
    const object = plainPath(plain.object);
    const key = plain.computed ? null : plain.property.name;
    if (object !== null && plain.property.type !== "PrivateIdentifier") members.push({ object, key });
  };
  const visit = (each: Node, isBreakable: boolean): void => {
    if (isFunction(each) || each.type.startsWith("Class")) return;
    if (/^(Return|Throw)Statement$/.test(each.type)) jumps = true;
    if (/^(Break|Continue)Statement$/.test(each.type) && (!isBreakable || each.label !== null)) jumps = true;
    if (each.type === "AssignmentExpression") write(each.left);
    if (each.type === "UpdateExpression") write(each.argument as Node);
    if (each.type === "VariableDeclaration")
      for (const { id } of each.declarations)
        for (const { name } of id === null ? [] : boundIdentifiers(id)) inner.add(name);
    if (each.type === "CallExpression") {
      const callee = withoutTypes(each.callee);
      const object = callee.type === "MemberExpression" ? plainPath(callee.object) : null;
      if (object !== null && !callee.computed && mutators.test(callee.property.name))
        members.push({ object, key: null });
    }
    const opens = /^(For|While|DoWhile|Switch)/.test(each.type);
    for (const child of children(each)) visit(child, isBreakable || opens);
  };
  visit(node, false);
  const isOuter = (name: string) =>
    !inner.has(name) && to.writableEventOf(name) !== null && to.isDeclaredBefore(name, node.start);
  const known = members.filter(
    ({ object: [base = ""] }) => base === "this" || (!inner.has(base) && to.lookUp(base) !== null),
  );
  return { variables: new Set([...variables].filter(isOuter)), members: known, jumps };
}

/** After the statement: what it did not write depends on the condition that skipped the write. */
function skips(to: Rewriter, _node: Node, { variables, members }: Writes): string {
  const plain = [...variables].map((name) => {
    const own = `${name}${to.mark}`;
    return `${own}=${runtimeName}.skip(${own},${to.frame});`;
  });
  const seen = new Map(members.map((each) => [`${each.object.join(".")} ${each.key}`, each]));
  const objects = [...seen.values()].map(({ object: [base, ...path], key }) => {
    return `${runtimeName}.skipMember(()=>${base},${JSON.stringify(path)},${JSON.stringify(key)},${to.frame});`;
  });
  return [...plain, ...objects].join("");
}
