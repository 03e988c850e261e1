import { dirname, relative, resolve } from "node:path";
import { nth, present } from "../../base/checked.ts";
import { isModule } from "../../base/files.ts";
import { children, type Node, parseSource } from "../../js/recorder/syntax.ts";
import type { RunnerName } from "../../js/runners/runner.ts";
import type { InferReport, ReportedClass, ReportedFunction } from "./result.ts";

/** One test of the written file. */
export type PropertyTest = {
  /** The name of the test; no two are equal. */
  readonly name: string;
  readonly text: string;
  /** The function or class that it imports. */
  readonly subject: { readonly name: string; readonly exported: string; readonly file: string };
  /** True if it may fail for a correct program, so that it is kept only if it passes. */
  readonly isGuess: boolean;
};

/**
 * fast-check properties of exported functions whose parameters can be generated, and commands for exported classes. A
 * property has the statements of a contract that are complete and speak of parameters and result. Partial cases and
 * loops are left out, because a property made of them could fail on a correct program.
 */
export function contractProperties(report: InferReport): readonly PropertyTest[] {
  const functions = report.functions.flatMap((one): readonly PropertyTest[] => {
    const given = one.className === null && one.isPositional ? argumentsOf(one, present(arbitraries.int)) : null;
    if (one.exported === null || given === null || given.length === 0 || one.name.includes(".")) return [];
    const subject = { name: one.name, exported: one.exported, file: one.file };
    const make = (says: string, body: readonly string[], isGuess: boolean): PropertyTest => {
      const name = `${one.name} ${says}`;
      return { name, text: propertyText(name, one, given, body), subject, isGuess };
    };
    return [
      ...contractBody(one).map((body) => make("keeps its contract", body, isLoose(one))),
      ...sameResultBody(one).map((body) => make("gives the same result for the same arguments", body, false)),
      ...resultKindBody(one).map((body) => make(`returns ${one.returns}`, body, true)),
    ];
  });
  const classes = report.classes.flatMap((one): readonly PropertyTest[] => {
    const made = classProperty(one, report.functions);
    if (made === null) return [];
    const subject = { name: one.name, exported: made.exported, file: one.file };
    return [{ name: `${one.name} keeps its contract`, text: made.text, subject, isGuess: false }];
  });
  const names = new Set<string>();
  return [...functions, ...classes].filter(({ name }) => !names.has(name) && names.add(name));
}

/** The file for the tests: of which project, at which path, for which runner. */
export type PropertiesTarget = { readonly folder: string; readonly path: string; readonly runner: RunnerName };

export function propertiesFile(properties: readonly PropertyTest[], target: PropertiesTarget): string {
  const { path, runner } = target;
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const isCommonJs = !isTyped && !isModule(path);
  const load = (names: string, module: string): string =>
    isCommonJs
      ? `const ${names.replaceAll(" as ", ": ")} = require("${module}");`
      : `import ${names} from "${module}";`;
  const subjects = new Map(properties.map(({ subject }) => [`${subject.file} ${subject.name}`, subject]));
  const imports = [...new Set([...subjects.values()].map(({ file }) => file))].map((file) => {
    const own = [...subjects.values()].filter((one) => one.file === file);
    const whole = own.find(({ exported }) => exported === "default");
    const named = own
      .filter(({ exported }) => exported !== "default")
      .map(({ name, exported }) => (name === exported ? name : `${exported} as ${name}`))
      .sort();
    const module = modulePath(file, target);
    const braces = named.length === 0 ? [] : [`{ ${named.join(", ")} }`];
    if (isCommonJs)
      return [...(whole === undefined ? [] : [whole.name]), ...braces].map((one) => load(one, module)).join("\n");
    return load([...(whole === undefined ? [] : [whole.name]), ...braces].join(", "), module);
  });
  const modules: Readonly<Record<RunnerName, string | null>> = {
    ...{ vitest: "vitest", "node:test": "node:test", jest: null, mocha: null },
  };
  const from = modules[runner];
  const typed = [
    "/** Contracts are about values that were seen, fields that are private among them: the types of the source do not apply. */",
    `type ${untyped} = any;`,
    ...(from === null ? [`declare const it: ${untyped};`] : []),
  ];
  const holds = [
    `const holds = (truth: ${untyped}) => {`,
    '  if (!truth) throw new Error("a statement of the contract does not hold");',
    "};",
  ].join("\n");
  const outcome = [
    "/** The result or the error of a call. */",
    `const outcome = async (call: () => ${untyped})${": Promise<unknown>"} => {`,
    "  try {",
    "    return { result: await call() };",
    "  } catch (error) {",
    "    return { error: String(error) };",
    "  }",
    "};",
  ].join("\n");
  const head = [
    [
      load(isCommonJs ? "fc" : "* as fc", "fast-check"),
      ...(from === null ? [] : [load("{ it }", from)]),
      ...imports,
    ].join("\n"),
    ...(isTyped ? [typed.join("\n")] : []),
    holds,
    ...(properties.some(({ text }) => text.includes("outcome(")) ? [outcome] : []),
  ];
  const text = `${[...head, ...properties.map((one) => one.text)].join("\n\n")}\n`;
  return isTyped ? text : withoutTypeSyntax(text);
}

/** The types that this file writes. */
function withoutTypeSyntax(text: string): string {
  return text
    .replaceAll(`<${untyped}, ${untyped}>`, "")
    .replaceAll(`() => ${untyped}`, untyped)
    .replaceAll(": Promise<unknown>", "")
    .replaceAll(`: ${untyped}`, "")
    .replaceAll(` as ${untyped}`, "");
}

/** Vitest accepts the ending of the compiled file, jest's resolver no ending; Node needs the file's own. */
function modulePath(file: string, { folder, path, runner }: PropertiesTarget): string {
  const ending = runner === "vitest" ? ".$1js" : runner === "jest" ? "" : "$&";
  const module = relative(dirname(resolve(path)), `${folder}/${file}`)
    .replaceAll("\\", "/")
    .replace(/\.([cm]?)tsx?$/, ending);
  return module.startsWith(".") ? module : `./${module}`;
}

/** True if a contract may not hold for generated values: a case is partial, or the tests' objects have other contents. */
function isLoose({ params, cases }: ReportedFunction): boolean {
  return cases.some(({ partial }) => partial) || params.some(({ seen }) => /\b(Array|Object)\b/.test(seen));
}

/** Nothing if a requirement or a condition of an exception cannot be written, or nothing else can. */
function contractBody(one: ReportedFunction): readonly (readonly string[])[] {
  if (!one.pure || one.rounds || one.withheld > 0 || one.ordered) return [];
  const names = namesIn(one);
  const required = requirementsOf(one);
  if (!required.every((text) => mentionsOnly(text, names))) return [];
  const cases = one.cases.filter(
    ({ guard, effects, partial }) =>
      !partial && effects.length > 0 && [...guard, ...effects].every((text) => mentionsOnly(text, names)),
  );
  const post = one.post.filter((text) => mentionsOnly(text, names));
  if (post.length + cases.length === 0) return [];
  const checks = (effects: readonly string[]): string => effects.map((text) => `holds(${text});`).join(" ");
  return [
    [
      ...required.map((text) => `if (!(${text})) return;`),
      `const result = ${callText(one)};`,
      ...post.map((text) => checks([text])),
      ...cases.map(({ guard, effects }) =>
        guard.length === 0 ? checks(effects) : `if (${guard.join(" && ")}) { ${checks(effects)} }`,
      ),
    ],
  ];
}

/** The names that a statement of a property may use. */
function namesIn({ params, name }: ReportedFunction): ReadonlySet<string> {
  return new Set([...params.map((param) => param.name), name]);
}

/** Conditions under which the function returns. */
function requirementsOf({ pre, throws }: ReportedFunction): readonly string[] {
  return [
    ...pre.map(({ condition }) => condition),
    ...throws.map(({ when }) => (when.length === 0 ? "?" : `!(${when.join(" && ")})`)),
  ];
}

/** Results that can be compared: no functions, and nothing that may contain one. */
const comparable = new Set(["int", "number", "string", "boolean", "undefined", "null", "bigint", "Array"]);
const primitive = new Set(["int", "number", "string", "boolean", "undefined", "bigint"]);

function sameResultBody(one: ReportedFunction): readonly (readonly string[])[] {
  const isComparable = one.returns !== "" && one.returns.split(" | ").every((kind) => comparable.has(kind));
  if (!one.pure || !isComparable) return [];
  const call = `outcome(() => ${callText({ ...one, async: false })})`;
  return [[`holds(fc.stringify(await ${call}) === fc.stringify(await ${call}));`]];
}

function resultKindBody(one: ReportedFunction): readonly (readonly string[])[] {
  const kinds = one.returns.split(" | ");
  const required = requirementsOf(one);
  const names = namesIn(one);
  if (!required.every((text) => mentionsOnly(text, names)) || !kinds.every((kind) => primitive.has(kind))) return [];
  const types = [...new Set(kinds.map((kind) => (kind === "int" ? "number" : kind)))];
  return [
    [
      ...required.map((text) => `if (!(${text})) return;`),
      `holds(${JSON.stringify(types)}.includes(typeof ${callText(one)}));`,
    ],
  ];
}

function callText({ name, params, async }: ReportedFunction): string {
  return `${async ? "(await " : ""}(${name} as ${untyped})(${params.map((one) => one.name).join(", ")})${async ? ")" : ""}`;
}

function propertyText(name: string, one: ReportedFunction, given: readonly string[], body: readonly string[]): string {
  const waits = one.async || body.some((line) => line.includes("await "));
  const params = one.params.map((param) => `${param.name}: ${untyped}`).join(", ");
  return [
    `it(${JSON.stringify(name)}, ${waits ? "async " : ""}() => {`,
    `  ${waits ? "await " : ""}fc.assert(`,
    `    fc.${waits ? "asyncProperty" : "property"}(${given.join(", ")}, ${waits ? "async " : ""}(${params}) => {`,
    ...body.map((line) => `      ${line}`),
    "    }),",
    "  );",
    "});",
  ].join("\n");
}

function mentionsOnly(text: string, names: ReadonlySet<string>): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\.\s*\w+/g, "");
  return (
    !/ is | changes|old\(|\?/.test(bare) &&
    [...bare.matchAll(/[A-Za-z_$][\w$]*/g)].every(([name]) => names.has(name) || words.has(name))
  );
}

/**
 * Model-based commands for a class: sequences of calls whose requirements and invariants hold, each of which must
 * fulfil its contract. The object itself is the model. Null if no method has a usable contract.
 */
function classProperty(
  one: ReportedClass,
  functions: readonly ReportedFunction[],
): { readonly text: string; readonly exported: string } | null {
  const own = functions.filter(({ className, file }) => className === one.name && file === one.file);
  const made = own.find(({ kind }) => kind === "constructor");
  const members = new Set([...one.fields.map(({ name }) => name), ...own.map((each) => memberOf(each))]);
  if (made === undefined || made.exported === null || !made.isPositional) return null;
  const given = argumentsOf(made, "fc.integer({ min: -2, max: 20 })");
  if (given === null) return null;
  const commands = own.flatMap((method) => command(one, method, members) ?? []);
  if (commands.length === 0) return null;
  const scope: Scope = { params: namesOf(made), members };
  const allowed = conditions(made, [], scope, "self");
  const params = made.params.map(({ name }) => name).join(", ");
  const text = [
    `it(${JSON.stringify(`${one.name} keeps its contract`)}, () => {`,
    `  const commands = [\n${commands.join(",\n")},\n  ];`,
    "  fc.assert(",
    `    fc.property(fc.tuple(${given.join(", ")}), fc.commands<${untyped}, ${untyped}>(commands, { maxCommands: 20 }), ([${params}]: ${untyped}, calls) => {`,
    ...allowed.map((condition) => `      if (!(${condition})) return;`),
    `      fc.modelRun(() => { const self = new (${one.name} as ${untyped})(${params}); return { model: { self }, real: self }; }, calls);`,
    "    }),",
    "  );",
    "});",
  ].join("\n");
  return { text, exported: made.exported };
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
    const [only, ...others] = kinds;
    if (only === undefined || kinds.includes(undefined)) return null;
    return others.length === 0 ? only : `fc.oneof(${kinds.join(", ")})`;
  });
  return made.every((one) => one !== null) ? made : null;
}

/** The preconditions of a call; `false` for one that cannot be written as code. */
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
  const isPlain = method.kind === "method" && !method.static && !method.async && method.isPositional;
  if (!isPlain || given === null || !isTold) return null;
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
      after.push(`${guard === null ? "" : `if (${guard}) `}holds(${code});`);
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
const untyped = "Untyped";

/** A generator for each kind of value. */
const arbitraries: Readonly<Record<string, string>> = {
  int: "fc.integer({ min: -1000, max: 1000 })",
  string: "fc.string()",
  boolean: "fc.boolean()",
  number: "fc.double({ min: -1000, max: 1000 })",
  undefined: "fc.constant(undefined)",
  null: "fc.constant(null)",
  bigint: "fc.bigInt()",
  Array: "fc.array(fc.anything())",
  Object: "fc.object()",
};

/** Names with a global meaning. */
const words: ReadonlySet<string> = new Set([
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
