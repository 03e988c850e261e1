import { type ClaimBuilder, topLevelName } from "./claimBuilder.ts";
import { constant } from "./values.ts";

/** Functions `int (int)` and one of the ways in which programs choose among them. */
export function functionTable(b: ClaimBuilder): void {
  const length = 2 + b.choices.pick(3);
  const names = [...Array(length).keys()].map(() => {
    const f = topLevelName(b, "f");
    b.definitions.push(`static int ${f}(int v) { ${body(b)} }`);
    return f;
  });
  const table = topLevelName(b, "table");
  b.choices.weighted<() => void>([
    [3, () => plainTable(b, table, names)],
    [2, () => structTable(b, table, names)],
    [1, () => objectTable(b, table, names)],
    [2, () => selector(b, table, names)],
    [1, () => callback(b, table, names)],
  ])();
}

function body(b: ClaimBuilder): string {
  const number = constant(b);
  return b.choices.oneOf([
    `return ${number};`,
    `return v + ${number};`,
    `return v - ${number};`,
    `return v > ${number} ? 1 : 0;`,
    `return ${number} / (v - ${b.choices.pick(9)});`,
    `int s = 0; for (int k = 0; k < v; k++) s += ${number}; return s;`,
  ]);
}

function plainTable(b: ClaimBuilder, table: string, names: readonly string[]): void {
  b.definitions.push(`static int (*${table}[${names.length}])(int) = {${names.join(", ")}};`);
  b.callees.push({ length: names.length, call: (index, argument) => `${table}[${index}](${argument})` });
}

function structTable(b: ClaimBuilder, table: string, names: readonly string[]): void {
  const tag = topLevelName(b, "op");
  const rows = names.map((f, i) => `{${10 - i}, ${f}}`);
  b.definitions.push(`struct ${tag} { int id; int (*run)(int); };`);
  b.definitions.push(`static struct ${tag} ${table}[${names.length}] = {${rows.join(", ")}};`);
  b.callees.push({ length: names.length, call: (index, argument) => `${table}[${index}].run(${argument})` });
}

/** Pointers to structs of pointers to functions, as tables of virtual functions are. */
function objectTable(b: ClaimBuilder, table: string, names: readonly string[]): void {
  const tag = topLevelName(b, "type");
  b.definitions.push(`struct ${tag} { int (*run)(int); };`);
  const objects = names.map((f) => {
    const object = topLevelName(b, "object");
    b.definitions.push(`static struct ${tag} ${object} = {${f}};`);
    return `&${object}`;
  });
  b.definitions.push(`static struct ${tag} *${table}[${names.length}] = {${objects.join(", ")}};`);
  b.callees.push({ length: names.length, call: (index, argument) => `${table}[${index}]->run(${argument})` });
}

/** A function that returns a pointer to a function. */
function selector(b: ClaimBuilder, table: string, names: readonly string[]): void {
  const chain = names.slice(1).map((f, i) => `if (k == ${i + 1}) return ${f};`);
  b.definitions.push(`static int (*${table}(int k))(int) { ${chain.join(" ")} return ${names[0]}; }`);
  b.callees.push({ length: names.length, call: (index, argument) => `${table}(${index})(${argument})` });
}

/** The function is a parameter. */
function callback(b: ClaimBuilder, table: string, names: readonly string[]): void {
  b.definitions.push(`static int ${table}(int (*f)(int), int v) { return f(v); }`);
  const choose = (index: string) => `(${index}) ? ${names[0]} : ${names[1]}`;
  b.callees.push({ length: 2, call: (index, argument) => `${table}(${choose(index)}, ${argument})` });
}
