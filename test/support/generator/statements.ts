import { localDeclarations } from "./declarations.ts";
import { anyPlace, callText, compoundAssignment, counterTypes, effect, mayIncrement, targetBeside } from "./effects.ts";
import { as, at, branching, condition, floating, infix, pure, type Text, UNARY } from "./expressions.ts";
import { int, intTypes, longLong, short, unsigned } from "./intTypes.ts";
import { printing } from "./printing.ts";
import { type Builder, declare, freshName, inScope, visible } from "./scope.ts";
import { switchStatement } from "./switchStatement.ts";

/** Where a statement stands: what `break`, `continue` and `return` may be used for, and how deep it may nest. */
export type Context = {
  readonly depth: number;
  readonly loop: boolean;
  readonly canBreak: boolean;
  /** The text of a `return` statement. */
  readonly leave: () => string;
};

const FUEL = "++fuel > 400u";

export function statements(b: Builder, context: Context, most: number): string[] {
  const lines: string[] = [];
  const count = b.choices.pick(most + 1);
  for (let i = 0; i < count && !b.choices.exhausted(); i++) lines.push(...statement(b, context));
  return lines;
}

export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** A block with declarations of its own. */
export function block(b: Builder, context: Context, most: number): string[] {
  return inScope(b, () => [
    ...localDeclarations(b, b.choices.chance(30) ? 2 : 0),
    ...statements(b, { ...context, depth: context.depth - 1 }, most),
  ]);
}

function statement(b: Builder, context: Context): string[] {
  const { choices } = b;
  const nested = context.depth > 0 ? 1 : 0;
  return choices.weighted<() => string[]>([
    [6, () => assign(b)],
    [3, () => compound(b)],
    [3, () => assignEffect(b)],
    [2, () => incrementPlace(b)],
    [2, () => printing(b)],
    [2, () => assignStruct(b)],
    [1, () => assignFloating(b)],
    [1, () => stringStatement(b)],
    [1, () => unionStatement(b)],
    [1, () => heapStatement(b)],
    [1, () => assignPointer(b)],
    [5 * nested, () => ifStatement(b, context)],
    [4 * nested, () => forStatement(b, context)],
    [2 * nested, () => whileStatement(b, context)],
    [2 * nested, () => doStatement(b, context)],
    [3 * nested, () => switchStatement(b, context)],
    [nested, () => forwardGoto(b, context)],
    [nested, () => backwardGoto(b, context)],
    [2 * nested, () => ["{", ...indent(block(b, context, 3)), "}"]],
    [nested, () => pointerWalk(b)],
    [context.canBreak ? 1 : 0, () => [`if (${cond(b)}) break;`]],
    [context.loop ? 1 : 0, () => [`if (${cond(b)}) continue;`]],
    [1, () => [`if (${cond(b)}) ${context.leave()}`]],
  ])();
}

function cond(b: Builder): string {
  return at(1, b.choices.chance(20) ? effect(b, 1) : condition(b, 2));
}

function assign(b: Builder): string[] {
  const place = anyPlace(b);
  return place === null ? printing(b) : [`${place.text} = ${at(2, branching(b, 3))};`];
}

function compound(b: Builder): string[] {
  const place = anyPlace(b);
  return place === null ? printing(b) : [`${compoundAssignment(b, place)};`];
}

function assignEffect(b: Builder): string[] {
  const e = effect(b, 2);
  const style = b.choices.pick(3);
  if (style === 0) return [`${e.text};`];
  const target = style === 1 ? targetBeside(b, e) : null;
  if (target !== null) return [`${target.text} = ${at(2, e)};`];
  const type = b.choices.oneOf(intTypes);
  const temporary = freshName(b, "t");
  const place = anyPlace(b);
  if (place === null) return [`${e.text};`];
  return [`{ ${type.name} ${temporary} = ${at(2, e)}; ${place.text} = ${temporary}; }`];
}

function incrementPlace(b: Builder): string[] {
  const place = anyPlace(b);
  if (place === null || !(mayIncrement(b, place.type) || place.bitField)) return compound(b);
  const operator = b.choices.oneOf(["++", "--"]);
  return [b.choices.chance(50) ? `${place.text}${operator};` : `${operator}${place.text};`];
}

function assignStruct(b: Builder): string[] {
  const all = visible(b, "struct");
  if (all.length === 0) return assign(b);
  const target = b.choices.oneOf(all);
  const makers = b.functions.filter((f) => f.result === target.type);
  if (makers.length > 0 && b.choices.chance(50)) {
    const call = callText(b, b.choices.oneOf(makers));
    if (call !== null) return [`${target.name} = ${call};`];
  }
  const sources = all.filter((s) => s.type === target.type);
  return [`${target.name} = ${b.choices.oneOf(sources).name};`];
}

function assignFloating(b: Builder): string[] {
  const all = visible(b, "floating");
  if (all.length === 0) return assign(b);
  const target = b.choices.oneOf(all);
  return [`${target.name} ${b.choices.oneOf(["=", "+=", "*=", "-="])} ${floating(b, 2)};`];
}

function stringStatement(b: Builder): string[] {
  const strings = visible(b, "string");
  const place = anyPlace(b);
  if (strings.length === 0 || place === null) return assign(b);
  const [s, t] = [b.choices.oneOf(strings), b.choices.oneOf(strings)];
  const fact = b.choices.oneOf([
    `(int)strlen(${s.name})`,
    `strcmp(${s.name}, ${t.name}) > 0`,
    `${s.name}[0] == ${t.name}[0]`,
  ]);
  if (b.choices.chance(40)) return [`${place.text} = ${fact};`];
  const p = freshName(b, "q");
  return [
    `{`,
    `  const char *${p} = ${s.name};`,
    `  unsigned n = 0;`,
    `  while (*${p}) n = n * 33u + (unsigned char)*${p}++;`,
    `  ${place.text} = n;`,
    `}`,
  ];
}

/** Written and read through the same member. */
function unionStatement(b: Builder): string[] {
  const place = anyPlace(b);
  if (place === null) return printing(b);
  const [first, second] = [b.choices.oneOf(intTypes), b.choices.oneOf(intTypes)];
  const member = b.choices.oneOf(["a", "b"]);
  return [
    `{`,
    `  union { ${first.name} a; ${second.name} b[2]; } u;`,
    member === "a" ? `  u.a = ${at(2, pure(b, 2))};` : `  u.b[1] = ${at(2, pure(b, 2))};`,
    `  ${place.text} = ${member === "a" ? "u.a" : "u.b[1]"};`,
    `}`,
  ];
}

function heapStatement(b: Builder): string[] {
  const place = anyPlace(b);
  if (place === null) return printing(b);
  const type = b.choices.oneOf(intTypes);
  const length = 1 + b.choices.pick(4);
  const allocate = b.choices.oneOf([`malloc(${length} * sizeof *h)`, `calloc(${length}, sizeof(${type.name}))`]);
  const grow = b.choices.chance(30) ? [`  h = realloc(h, ${length + 2} * sizeof *h);`] : [];
  return [
    `{`,
    `  ${type.name} *h = ${allocate};`,
    `  for (int k = 0; k < ${length}; k++) h[k] = k + ${at(13, as(short, pure(b, 2)))};`,
    ...grow,
    `  ${place.text} = h[${b.choices.pick(length)}];`,
    `  free(h);`,
    `}`,
  ];
}

/** Only to globals, which live as long as any pointer. */
function assignPointer(b: Builder): string[] {
  const pointers = visible(b, "pointer");
  if (pointers.length === 0) return assign(b);
  const target = b.choices.oneOf(pointers);
  const arrays = visible(b, "array").filter(
    (a) => a.global && a.type === target.type && a.dimensions.length === 1 && a.dimensions[0]! >= target.length,
  );
  if (arrays.length === 0) return assign(b);
  const array = b.choices.oneOf(arrays);
  const skip = array.dimensions[0]! - target.length;
  return [`${target.name} = ${b.choices.oneOf([`&${array.name}[${skip}]`, `${array.name} + ${skip}`])};`];
}

function ifStatement(b: Builder, context: Context): string[] {
  const head = `if (${cond(b)})`;
  if (b.choices.chance(20)) return [head, ...indent(assign(b))];
  const lines = [`${head} {`, ...indent(block(b, context, 3)), "}"];
  if (b.choices.chance(50)) return lines;
  return [...lines.slice(0, -1), "} else {", ...indent(block(b, context, 3)), "}"];
}

function loopBody(b: Builder, context: Context): string[] {
  return indent([`if (${FUEL}) break;`, ...block(b, { ...context, loop: true, canBreak: true }, 4)]);
}

function forStatement(b: Builder, context: Context): string[] {
  return inScope(b, () => {
    const type = b.choices.oneOf(counterTypes);
    const name = freshName(b, "i");
    const bound = 1 + b.choices.pick(6);
    declare(b, { kind: "scalar", name, type, frozen: true, plain: true, global: false });
    const heads = [
      () => `for (${type.name} ${name} = 0; ${name} < ${bound}; ${name}++) {`,
      () => `for (${type.name} ${name} = ${bound}; ${name} > 0; --${name}) {`,
      () => `for (${type.name} ${name} = 0; ${name} < ${bound} && (${cond(b)}); ${name} += 1) {`,
    ];
    if (b.choices.chance(15)) {
      return [
        `{`,
        `  ${type.name} ${name} = 0;`,
        `  for (;;) {`,
        `    if (${name}++ >= ${bound}) break;`,
        ...indent(loopBody(b, context)),
        `  }`,
        `}`,
      ];
    }
    return [b.choices.oneOf(heads)(), ...loopBody(b, context), "}"];
  });
}

function whileStatement(b: Builder, context: Context): string[] {
  return inScope(b, () => {
    const name = freshName(b, "w");
    const bound = 1 + b.choices.pick(6);
    declare(b, { kind: "scalar", name, type: int, frozen: true, plain: true, global: false });
    const head = b.choices.oneOf([() => `${name}-- > 0`, () => `${name}--`, () => `--${name} >= 0 && !(${cond(b)})`])();
    return ["{", `  int ${name} = ${bound};`, `  while (${head}) {`, ...indent(loopBody(b, context)), "  }", "}"];
  });
}

function doStatement(b: Builder, context: Context): string[] {
  return inScope(b, () => {
    const name = freshName(b, "d");
    const bound = b.choices.pick(5);
    declare(b, { kind: "scalar", name, type: unsigned, frozen: true, plain: true, global: false });
    const body = indent(loopBody(b, context));
    return ["{", `  unsigned ${name} = 0;`, "  do {", ...body, `  } while (++${name} < ${bound}u);`, "}"];
  });
}

function forwardGoto(b: Builder, context: Context): string[] {
  const label = freshName(b, "L");
  return [
    `if (${cond(b)}) goto ${label};`,
    ...statements(b, { ...context, depth: context.depth - 1 }, 3),
    `${label}:;`,
  ];
}

function backwardGoto(b: Builder, context: Context): string[] {
  return inScope(b, () => {
    const [label, name] = [freshName(b, "L"), freshName(b, "c")];
    declare(b, { kind: "scalar", name, type: int, frozen: true, plain: true, global: false });
    const body = statements(b, { ...context, depth: context.depth - 1, loop: false, canBreak: false }, 3);
    return [
      "{",
      `  int ${name} = 0;`,
      `${label}:;`,
      ...indent(body),
      `  if (++${name} < ${1 + b.choices.pick(4)}) goto ${label};`,
      "}",
    ];
  });
}

function pointerWalk(b: Builder): string[] {
  const arrays = visible(b, "array").filter((a) => a.dimensions.length === 1);
  if (arrays.length === 0) return assign(b);
  const array = b.choices.oneOf(arrays);
  const p = freshName(b, "p");
  const element = { text: `*${p}`, type: array.type, bitField: false };
  const update = `${compoundAssignment(b, element)};`;
  const length = array.dimensions[0]!;
  return b.choices.oneOf([
    [`for (${array.type.name} *${p} = ${array.name}; ${p} != ${array.name} + ${length}; ${p}++) ${update}`],
    [
      `{`,
      `  ${array.type.name} *${p} = &${array.name}[${length - 1}];`,
      `  while (${p} - ${array.name} > 0) { ${update} ${p}--; }`,
      `}`,
    ],
  ]);
}

/** What a switch decides on: often small, of any type. */
export function selector(b: Builder, cases: number): Text {
  const value = pure(b, 2);
  const small: Text = { text: `(unsigned)${at(UNARY, value)} % ${cases}u`, type: unsigned, level: 13 };
  return b.choices.oneOf([
    small,
    as(int, small),
    value,
    as(longLong, small),
    infix(as(int, small), "-", as(int, { text: "1", type: int, level: 16 }), int),
  ]);
}
