import { type Choices, makeChoices } from "../../support/generator/choices.ts";

/** A C program that is all about memory, without undefined behaviour, and the inputs to run it with. */
export type MemoryProgram = { readonly text: string; readonly inputs: readonly bigint[] };

const INTEGERS = ["int", "unsigned", "char", "unsigned char", "short", "long long", "unsigned short", "_Bool"];

const HELPERS = [
  "static void poke(unsigned char *p, unsigned n, unsigned v) {",
  "  unsigned char keep = v; unsigned char *q = &keep;",
  "  if (n > 0) p[0] = *q; if (n > 1) p[1] = (unsigned char)(*q + 1); if (n > 2) p[2] = 0;",
  "}",
  "static unsigned add(unsigned a) { return a + 3; }",
  "static unsigned flip(unsigned a) { unsigned own[2] = { a, 7 }; unsigned *p = own; p[a & 1] ^= 5; return own[0] + p[1]; }",
  "static unsigned deep(unsigned a) { return a % 5 == 0 ? a : deep(a - 1) + 1; }",
  "static unsigned (*calls[3])(unsigned) = { add, flip, add };",
];

type Field = {
  readonly name: string;
  readonly kind: "scalar" | "array" | "bits" | "struct" | "union";
  readonly of: string;
  readonly count: number;
};
type Struct = { readonly name: string; readonly fields: readonly Field[] };

/** An object of the program: `count` elements of a type. */
type Thing = { readonly name: string; readonly type: string; readonly count: number; readonly heap: boolean };

type Generator = {
  readonly choices: Choices;
  readonly structs: Struct[];
  readonly things: Thing[];
  /** Pointers and the object that they point into an element of. */
  readonly pointers: { readonly name: string; readonly type: string }[];
  names: number;
};

/** `looped`: what the program does, it does three times, with some variables declared each time. */
export function generateMemoryProgram(sequence: readonly number[], looped = false): MemoryProgram {
  const choices = makeChoices(sequence);
  const g: Generator = { choices, structs: [], things: [], pointers: [], names: 0 };
  const inputs = Array.from({ length: 8 }, () => BigInt(choices.pick(400) - 200));
  const types = Array.from({ length: 1 + choices.pick(3) }, () => defineStruct(g));
  const globals = Array.from({ length: 2 + choices.pick(4) }, () => declareThing(g, false));
  const locals: string[] = [];
  for (let i = 0; i < 1 + choices.pick(3); i++) locals.push(declareThing(g, choices.chance(40)));
  const pointers = Array.from({ length: 1 + choices.pick(3) }, () => declarePointer(g));
  const inner = looped ? [declareThing(g, choices.chance(40)), declarePointer(g)] : [];
  const statements = Array.from({ length: 3 + choices.pick(looped ? 5 : 14) }, () =>
    statement(g, looped ? 1 : 2),
  ).flat();
  const body = looped
    ? [
        "for (unsigned round = 0; round < 3; round++) {",
        ...inner.map((line) => line.replace(/^static (.*);$/, "$1 = { 0 };")),
        ...statements,
        "}",
      ]
    : statements;
  const text = [
    "#include <string.h>",
    "#include <stdlib.h>",
    "extern int __VERIFIER_nondet_int(void);",
    "static unsigned u(void) { return (unsigned)__VERIFIER_nondet_int(); }",
    ...types,
    ...HELPERS,
    ...globals,
    "static unsigned x, y, z;",
    "int main(void) {",
    ...[...locals, ...pointers, "x = u(); y = u() % 7; z = u() & 3;", ...body].map((line) => `  ${line}`),
    "  return (int)((x ^ y) & 1);",
    "}",
  ];
  return { text: `${text.join("\n")}\n`, inputs };
}

function fresh(g: Generator, prefix: string): string {
  return `${prefix}${g.names++}`;
}

function defineStruct(g: Generator): string {
  const { choices } = g;
  const name = `struct s${g.structs.length}`;
  const fields: Field[] = [];
  const lines: string[] = [];
  for (let i = 0; i < 2 + choices.pick(4); i++) {
    const of = choices.oneOf(INTEGERS);
    const field = `f${i}`;
    const kind = choices.weighted([
      [5, "scalar"],
      [3, "array"],
      [2, "bits"],
      [2, "struct"],
      [2, "union"],
    ] as const);
    if (kind === "struct" && g.structs.length > 0) {
      const inner = choices.oneOf(g.structs);
      fields.push({ name: field, kind, of: inner.name, count: 1 });
      lines.push(`${inner.name} ${field};`);
    } else if (kind === "bits") {
      const width = 1 + choices.pick(of.includes("char") ? 8 : of.includes("short") ? 16 : of === "_Bool" ? 1 : 30);
      fields.push({ name: field, kind, of, count: 1 });
      lines.push(`${of === "char" ? "signed char" : of === "int" ? "signed int" : of} ${field} : ${width};`);
    } else if (kind === "array") {
      const count = 2 + choices.pick(4);
      fields.push({ name: field, kind, of, count });
      lines.push(`${of} ${field}[${count}];`);
    } else if (kind === "union") {
      const other = choices.oneOf(INTEGERS);
      fields.push(
        { name: `${field}.a`, kind: "scalar", of, count: 1 },
        { name: `${field}.b`, kind: "scalar", of: other, count: 1 },
      );
      fields.push({ name: `${field}.c`, kind: "array", of: "unsigned char", count: 2 });
      lines.push(`union { ${of} a; ${other} b; unsigned char c[2]; } ${field};`);
    } else {
      fields.push({ name: field, kind: "scalar", of, count: 1 });
      lines.push(`${of} ${field};`);
    }
  }
  g.structs.push({ name, fields });
  return `${name} { ${lines.join(" ")} };`;
}

function declareThing(g: Generator, heap: boolean): string {
  const { choices } = g;
  const name = fresh(g, "v");
  const type = choices.chance(50) ? choices.oneOf(g.structs).name : choices.oneOf(INTEGERS);
  const count = choices.weighted([
    [3, 1],
    [2, 3],
    [2, 5],
  ] as const);
  g.things.push({ name, type, count, heap });
  const inMain = g.things.length > 1 && choices.chance(50);
  if (heap) {
    const calloc = `calloc(${count}, sizeof(${type}))`;
    return `${type} *${name} = ${choices.chance(50) ? calloc : `memset(malloc(${count} * sizeof(${type})), 0, ${count} * sizeof(${type}))`};`;
  }
  return `${inMain ? "" : "static "}${type} ${name}[${count}]${inMain ? " = { 0 }" : ""};`;
}

function declarePointer(g: Generator): string {
  const thing = g.choices.oneOf(g.things);
  const name = fresh(g, "p");
  g.pointers.push({ name, type: thing.type });
  return `${thing.type} *${name} = ${element(g, thing)};`;
}

function index(g: Generator, count: number): string {
  if (count === 1) return "0";
  return g.choices.weighted([
    [2, () => `${g.choices.pick(count)}`],
    [3, () => `${g.choices.oneOf(["x", "y", "z", "(x + y)"])} % ${count}u`],
  ])();
}

/** The address of an element of an object. */
function element(g: Generator, thing: Thing): string {
  return `&${thing.name}[${index(g, thing.count)}]`;
}

type Place = { readonly text: string; readonly type: string; readonly bits: boolean };

/** Some scalar, through a name, a pointer, or a cast. */
function place(g: Generator): Place {
  const { choices } = g;
  const pointer = choices.chance(35) ? choices.oneOf(g.pointers) : null;
  const thing = choices.oneOf(g.things);
  const text = pointer === null ? `${thing.name}[${index(g, thing.count)}]` : `(*${pointer.name})`;
  const type = pointer?.type ?? thing.type;
  const whole = inside(g, text, type);
  if (whole.bits || !choices.chance(15)) return whole;
  const bytes = `sizeof ${whole.text}`;
  return {
    text: `((unsigned char *)&${whole.text})[${choices.oneOf(["x", "y", "1u", "z"])} % ${bytes}]`,
    type: "unsigned char",
    bits: false,
  };
}

function inside(g: Generator, text: string, type: string): Place {
  const struct = g.structs.find(({ name }) => name === type);
  if (struct === undefined) return { text, type, bits: false };
  const field = g.choices.oneOf(struct.fields);
  const path = `${text}.${field.name}`;
  if (field.kind === "struct") return inside(g, path, field.of);
  if (field.kind === "array") return { text: `${path}[${index(g, field.count)}]`, type: field.of, bits: false };
  return { text: path, type: field.of, bits: field.kind === "bits" };
}

function value(g: Generator, depth = 2): string {
  const { choices } = g;
  if (depth === 0) return choices.oneOf(["x", "y", "z", "3u", "200u", "70000u"]);
  return choices.weighted([
    [3, () => value(g, 0)],
    [4, () => `(unsigned)${place(g).text}`],
    [2, () => `(${value(g, depth - 1)} ${choices.oneOf(["+", "-", "*", "^", "&", "|"])} ${value(g, depth - 1)})`],
    [1, () => `(${value(g, depth - 1)} ${choices.oneOf(["<<", ">>"])} (y & 15))`],
    [1, () => `(${value(g, depth - 1)} ${choices.oneOf(["/", "%"])} (y + 1))`],
    [1, () => `u()`],
    [1, () => `${choices.oneOf(["add", "flip", "calls[y % 3u]", "deep"])}(${value(g, depth - 1)} & 255)`],
  ])();
}

function statement(g: Generator, depth: number): string[] {
  const { choices } = g;
  const options: (readonly [number, () => string[]])[] = [
    [6, () => [`${assignable(place(g))} = ${value(g)};`]],
    [3, () => [`${choices.oneOf(["x", "y", "z"])} ${choices.oneOf(["=", "+=", "^="])} ${value(g)}; y %= 11; z &= 7;`]],
    [3, () => [pointTo(g)]],
    [2, () => [copyStruct(g)]],
    [2, () => [fill(g)]],
    [1, () => [poke(g)]],
  ];
  if (depth > 0) {
    options.push([
      2,
      () => [
        `if (${value(g)} % 3u ${choices.oneOf(["==", "!=", "<"])} 1u) {`,
        ...block(g, depth),
        "} else {",
        ...block(g, depth),
        "}",
      ],
    ]);
    const i = fresh(g, "i");
    options.push([
      1,
      () => [`for (unsigned ${i} = 0; ${i} < ${1 + choices.pick(3)}; ${i}++) { x += ${i};`, ...block(g, depth), "}"],
    ]);
  }
  return choices.weighted(options)();
}

function assignable({ text, type }: Place): string {
  // A truth value is written as such, or the next read of it is undefined.
  return type === "unsigned char" && text.includes("*)&") ? text : text;
}

function block(g: Generator, depth: number): string[] {
  return Array.from({ length: 1 + g.choices.pick(2) }, () => statement(g, depth - 1))
    .flat()
    .map((line) => `  ${line}`);
}

function pointTo(g: Generator): string {
  const { choices } = g;
  const pointer = choices.oneOf(g.pointers);
  const fitting = g.things.filter(({ type }) => type === pointer.type);
  if (fitting.length === 0) return ";";
  const first = element(g, choices.oneOf(fitting));
  if (choices.chance(30))
    return `${pointer.name} = ${value(g, 1)} & 1 ? ${first} : ${element(g, choices.oneOf(fitting))};`;
  return `${pointer.name} = ${first};`;
}

function copyStruct(g: Generator): string {
  const { choices } = g;
  const thing = choices.oneOf(g.things);
  const others = g.things.filter(({ type }) => type === thing.type);
  const other = choices.oneOf(others);
  const same = g.pointers.filter(({ type }) => type === thing.type);
  const to = same.length > 0 && choices.chance(40) ? choices.oneOf(same).name : element(g, thing);
  const from = same.length > 0 && choices.chance(40) ? choices.oneOf(same).name : element(g, other);
  return choices.weighted([
    [3, () => `*(${to}) = *(${from});`],
    [2, () => `memmove(${to}, ${from}, sizeof(${thing.type}));`],
    [1, () => `memmove(${thing.name}, ${other.name}, ${Math.min(thing.count, other.count)} * sizeof(${thing.type}));`],
    [
      1,
      () =>
        thing.count > 1
          ? `memmove(${thing.name} + 1, ${thing.name}, ${thing.count - 1} * sizeof(${thing.type}));`
          : ";",
    ],
  ])();
}

/** Zero, or any byte where no truth value is. */
function fill(g: Generator): string {
  const { choices } = g;
  const thing = choices.oneOf(g.things);
  const byte = holdsTruth(g, thing.type) ? choices.pick(2) : choices.oneOf([0, 1, 255, 0x5a]);
  return choices.weighted([
    [2, () => `memset(${element(g, thing)}, ${byte}, sizeof(${thing.type}));`],
    [1, () => `memset(${thing.name}, ${byte}, ${thing.count} * sizeof(${thing.type}));`],
    [1, () => `memset((char *)${thing.name} + ${choices.pick(2)}, 0, sizeof(${thing.type}) / 2);`],
  ])();
}

function poke(g: Generator): string {
  const things = g.things.filter(({ type }) => !holdsTruth(g, type));
  if (things.length === 0) return ";";
  const thing = g.choices.oneOf(things);
  return `poke((unsigned char *)(${element(g, thing)}), ${1 + g.choices.pick(3)} % sizeof(${thing.type}), ${value(g, 1)});`;
}

function holdsTruth(g: Generator, type: string): boolean {
  if (type === "_Bool") return true;
  const struct = g.structs.find(({ name }) => name === type);
  return struct?.fields.some(({ of }) => holdsTruth(g, of)) ?? false;
}
