import { relative } from "node:path";
import { nth, present } from "../base/checked.ts";
import type { InferReport, ReportedClass, ReportedFunction } from "../commands/infer/result.ts";
import { children, type Node, parseSource } from "../js/recorder/syntax.ts";

/**
 * A vitest file with a fast-check property for each exported pure function whose contract is complete in terms of its
 * parameters: requirements become `fc.pre`, cases become assertions; and with commands for exported classes. Partial
 * cases and loops are left out, because a property made of them could fail on a correct program. Null if nothing is
 * left.
 */
export function propertiesFile(report: InferReport, folder: string, from: string): string | null {
  const functions = report.functions.filter((one) => isTestable(one, report));
  const classes = report.classes.flatMap((one) => {
    const text = classProperty(one, report.functions);
    return text === null ? [] : [{ name: one.name, file: one.file, text }];
  });
  const files = [...new Set([...functions, ...classes].map(({ file }) => file))];
  const imports = files.map((file) => {
    const names = [...functions, ...classes].filter((one) => one.file === file).map((one) => one.name);
    // The extension of the compiled file, which every module resolver accepts.
    const path = relative(from, `${folder}/${file}`)
      .replaceAll("\\", "/")
      .replace(/\.([cm]?)tsx?$/, ".$1js");
    return `import { ${names.sort().join(", ")} } from ${JSON.stringify(path.startsWith(".") ? path : `./${path}`)};`;
  });
  const head = [
    ['import * as fc from "fast-check";', 'import { expect, it } from "vitest";', ...imports].join("\n"),
    [
      "/** Contracts are about values that were seen, fields that are private among them: the types of the source do not apply. */",
      `type ${untyped} = any;`,
    ].join("\n"),
  ];
  const all = [...functions.map(property), ...classes.map(({ text }) => text)];
  return all.length === 0 ? null : `${[...head, ...all].join("\n\n")}\n`;
}

function isTestable(one: ReportedFunction, report: InferReport): boolean {
  const known =
    one.exported && one.className === null && one.pure && !one.rounds && one.withheld === 0 && one.params.length > 0;
  if (!known || one.ordered || one.cases.some(({ partial }) => partial)) return false;
  if (!one.params.every(({ seen }) => arbitraries[seen] !== undefined)) return false;
  const names = new Set([...one.params.map(({ name }) => name), ...exportedNames(one.file, report)]);
  const texts = [
    ...one.pre.map(({ condition }) => condition),
    ...one.post,
    ...one.cases.flatMap((c) => [...c.guard, ...c.effects]),
  ];
  return texts.length > 0 && texts.every((text) => mentionsOnly(text, names));
}

function exportedNames(file: string, report: InferReport): readonly string[] {
  return report.functions.filter((one) => one.file === file && one.exported).map((one) => one.name);
}

function mentionsOnly(text: string, names: ReadonlySet<string>): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\.\s*\w+/g, "");
  return (
    !/ is | changes|old\(|\?/.test(bare) &&
    [...bare.matchAll(/[A-Za-z_$][\w$]*/g)].every(([name]) => names.has(name) || words.has(name))
  );
}

function property(one: ReportedFunction): string {
  const params = one.params.map(({ name }) => name).join(", ");
  const given = one.params.map(({ seen }) => arbitraries[seen]).join(", ");
  const pre = one.pre.map(({ condition }) => `      fc.pre(${condition});`);
  const forbidden = one.throws.map(({ when }) => `      fc.pre(!(${when.length === 0 ? "true" : when.join(" && ")}));`);
  const cases = one.cases.map(({ guard, effects }) => {
    const checks = effects.map((effect) => `expect(${effect}).toBe(true);`).join(" ");
    return guard.length === 0 ? `      ${checks}` : `      if (${guard.join(" && ")}) { ${checks} }`;
  });
  return [
    `it(${JSON.stringify(`${one.name} keeps its contract`)}, () => {`,
    "  fc.assert(",
    `    fc.property(${given}, (${one.params.map(({ name }) => `${name}: ${untyped}`).join(", ")}) => {`,
    ...pre,
    ...forbidden,
    `      const result = (${one.name} as ${untyped})(${params});`,
    ...one.post.map((text) => `      expect(${text}).toBe(true);`),
    ...cases,
    "    }),",
    "  );",
    "});",
  ].join("\n");
}

/**
 * Model-based commands for a class: sequences of calls whose requirements and invariants hold, each of which must
 * fulfil its contract. The object itself is the model. Null if no method has a usable contract.
 */
export function classProperty(one: ReportedClass, functions: readonly ReportedFunction[]): string | null {
  const own = functions.filter(({ className, file }) => className === one.name && file === one.file);
  const made = own.find(({ kind }) => kind === "constructor");
  const members = new Set([...one.fields.map(({ name }) => name), ...own.map((each) => memberOf(each))]);
  const given = made === undefined || !made.exported ? null : argumentsOf(made, "fc.integer({ min: -2, max: 20 })");
  if (given === null) return null;
  const commands = own.flatMap((method) => command(one, method, members) ?? []);
  if (commands.length === 0) return null;
  const scope: Scope = { params: namesOf(made!), members };
  const allowed = conditions(made!, [], scope, "self");
  const params = made!.params.map(({ name }) => name).join(", ");
  return [
    `it(${JSON.stringify(`${one.name} keeps its contract`)}, () => {`,
    `  const commands = [\n${commands.join(",\n")},\n  ];`,
    "  fc.assert(",
    `    fc.property(fc.tuple(${given.join(", ")}), fc.commands<${untyped}, ${untyped}>(commands, { maxCommands: 20 }), ([${params}]: ${untyped}, calls) => {`,
    ...allowed.map((text) => `      fc.pre(${text});`),
    `      fc.modelRun(() => { const self = new (${one.name} as ${untyped})(${params}); return { model: { self }, real: self }; }, calls);`,
    "    }),",
    "  );",
    "});",
  ].join("\n");
}

type Scope = { readonly params: ReadonlySet<string>; readonly members: ReadonlySet<string> };

function memberOf({ name, className }: ReportedFunction): string {
  return name.slice(className!.length + 1);
}

const namesOf = ({ params }: ReportedFunction): ReadonlySet<string> => new Set(params.map(({ name }) => name));

/** A generator for each parameter; null if a kind has none. */
function argumentsOf({ params }: ReportedFunction, integers: string): readonly string[] | null {
  const made = params.map(({ seen }) => {
    const kinds = seen.split(" | ").map((kind) => (kind === "int" ? integers : arbitraries[kind]));
    if (kinds.includes(undefined)) return null;
    return kinds.length === 1 ? kinds[0]! : `fc.oneof(${kinds.join(", ")})`;
  });
  return made.includes(null) ? null : (made as readonly string[]);
}

/** The preconditions of a call; null if one of them cannot be written as code. */
function conditions(
  one: ReportedFunction,
  invariants: readonly string[],
  scope: Scope,
  self: string,
): readonly string[] {
  const needed = [...one.pre.map(({ condition }) => condition), ...invariants];
  const throws = one.throws.map(({ when }) => (when.length === 0 ? "true" : when.join(" && ")));
  const code = [...needed, ...throws.map((text) => `!(${text})`)].map((text) => rewrite(text, scope, self));
  return code.map((written) => (written === null || written.olds.length > 0 ? "false" : written.code));
}

function command(one: ReportedClass, method: ReportedFunction, members: ReadonlySet<string>): string | null {
  const given = argumentsOf(method, present(arbitraries.int));
  const isTold = !method.rounds && method.withheld === 0 && !method.ordered && method.calls.length === 0;
  if (method.kind !== "method" || method.static || given === null || !isTold) return null;
  const scope: Scope = { params: namesOf(method), members };
  const plain = one.invariants.filter((text) => !text.includes(" for k "));
  const check = conditions(method, plain, scope, "model.self");
  if (check.includes("false")) return null;
  const names = method.params.map(({ name }) => name).join(", ");
  const before: string[] = [];
  const after: string[] = [];
  const hold = (code: string): string => {
    before.push(code);
    return `before${before.length - 1}`;
  };
  const say = (effects: readonly string[], guard: string | null): void => {
    for (const effect of effects) {
      const written = rewrite(effect, scope, "self");
      if (written === null) continue;
      const code = written.olds.reduce((text, old, at) => text.replaceAll(`old${at}$`, hold(old)), written.code);
      after.push(`${guard === null ? "" : `if (${guard}) `}expect(${code}).toBe(true);`);
    }
  };
  say(method.post, null);
  for (const { guard, effects, partial } of method.cases) {
    const tests = guard.map((text) => rewrite(text, scope, "self"));
    if (partial || tests.some((test) => test === null || test.olds.length > 0)) continue;
    say(effects, guard.length === 0 ? null : hold(tests.map((test) => `(${test!.code})`).join(" && ")));
  }
  if (after.length === 0) return null;
  return [
    `    fc.tuple(${given.join(", ")}).map(([${names}]: ${untyped}) => ({`,
    `      toString: () => \`${memberOf(method)}(\${fc.stringify([${names}])})\`,`,
    check.length === 0
      ? "      check: () => true,"
      : `      check: (model: ${untyped}) => ${check.map((text) => `(${text})`).join(" && ")},`,
    `      run(_model: ${untyped}, self: ${untyped}) {`,
    ...before.map((code, at) => `        const before${at} = ${code};`),
    `        ${after.some((line) => /\bresult\b/.test(line)) ? "const result = " : ""}self.${memberOf(method)}(${names});`,
    ...after.map((line) => `        ${line}`),
    "      },",
    "    }))",
  ].join("\n");
}

/** A statement of a contract as code, with `old0$` and so on for `old(…)`. Null if it is no expression. */
function rewrite(
  text: string,
  { params, members }: Scope,
  self: string,
): { readonly code: string; readonly olds: readonly string[] } | null {
  const parsed = parseSource("contract.ts", `(${text});`, "module");
  if (parsed.kind === "refused" || / is | changes|\.\.\]|\?/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ""))) return null;
  const source = `(${text});`;
  const olds: string[] = [];
  let isKnown = true;
  const print = (node: Node): string => {
    if (node.type === "Identifier") {
      if (members.has(node.name) && !params.has(node.name)) return `${self}.${node.name}`;
      isKnown &&= params.has(node.name) || words.has(node.name);
      return node.name;
    }
    if (node.type === "ThisExpression") return self;
    if (node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "old") {
      olds.push(print(nth(node.arguments, 0)));
      return `old${olds.length - 1}$`;
    }
    const inner = [...children(node)].sort((a, b) => a.start - b.start);
    let code = "";
    let at = node.start;
    for (const child of inner) {
      const isName = node.type === "MemberExpression" && !node.computed && child === node.property;
      code += source.slice(at, child.start) + (isName ? source.slice(child.start, child.end) : print(child));
      at = child.end;
    }
    return code + source.slice(at, node.end);
  };
  const [statement] = parsed.program.body;
  if (parsed.program.body.length !== 1 || statement?.type !== "ExpressionStatement") return null;
  const code = print(statement.expression as Node);
  return isKnown ? { code, olds } : null;
}

/** The type of all values in a generated property. */
export const untyped = "Untyped";

/** A generator for each kind of value. */
export const arbitraries: Readonly<Record<string, string>> = {
  int: "fc.integer({ min: -1000, max: 1000 })",
  string: "fc.string()",
  boolean: "fc.boolean()",
};

/** Names with a global meaning. */
export const words: ReadonlySet<string> = new Set([
  "result",
  "null",
  "undefined",
  "true",
  "false",
  "typeof",
  "NaN",
  "Infinity",
  "Math",
  "Number",
  "String",
]);
