import fc from "fast-check";

/**
 * Small C programs with loops, for laws about folding: counters that stay small, an array, a struct, a pointer, helpers
 * with loops of their own, and inputs anywhere. They print what they computed, so that a test can pick a fact that was
 * true at the end.
 */
export type LoopProgram = { readonly body: string };

/** What a program prints, and facts are about. */
const variables = ["x", "y", "z", "u", "c", "g", "s.f", "a[0]", "a[1]", "a[2]", "a[3]"] as const;

/** Their values at the start, those of `z` aside, which is an input. */
const initial = [0, 1, NaN, 2, 7, 3, 1, 0, 1, 2, 3];

const prelude = `#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int g = 3;
static int small(void) { int v = __VERIFIER_nondet_int(); return v % 7; }
static int half(int v) { g = v / 2; return g; }
static int count(int to) { int k = 0; while (k < to) k = k + 2; return k; }
static void bump(int *q) { *q = (*q + 1) % 50; }
static int pick(int *q, int n) { for (int k = 0; k < n; k++) if (q[k] > 2) return k; return -1; }
struct pair { int f; int h; };
`;

const places = ["x", "y", "z", "g", "s.f", "s.h", "a[0]", "a[1]", "*p"] as const;

const place = fc.constantFrom(...places);
const cell = fc.constantFrom("a[x & 3]", "a[y & 3]", "a[(x + 1) & 3]", "a[2]");

const leaf = fc.oneof(
  place,
  cell,
  fc.integer({ min: -3, max: 9 }).map((n) => (n < 0 ? `(${n})` : `${n}`)),
  fc.constantFrom("(int)u", "(int)c", "small()"),
);

const expression: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 3, arbitrary: fc.tuple(leaf, fc.constantFrom("+", "-", "*"), leaf).map((parts) => `(${parts.join(" ")})`) },
  fc
    .tuple(leaf, fc.constantFrom("/ 2", "% 3", "& 3", "% 5", ">> 1", "| 1", "^ 2"))
    .map(([a, op]) => `((${a} & 63) ${op})`),
  fc.tuple(leaf, leaf, leaf).map(([a, b, c]) => `(${a} > ${b} ? ${c} : ${a})`),
  leaf.map((a) => `half(${a} % 20)`),
  leaf.map((a) => `count(${a} % 6)`),
  fc.constant("pick(a, 4)"),
);

const condition: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(leaf, fc.constantFrom("<", "<=", ">", ">=", "==", "!="), leaf).map((parts) => parts.join(" ")),
  fc.tuple(leaf, leaf, fc.constantFrom("&&", "||"), leaf).map(([a, b, op, c]) => `${a} < ${b} ${op} ${c} != 0`),
  fc.constant("small() > 0"),
);

const simple: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(place, expression).map(([to, value]) => `${to} = ${value} % 50;`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("x", "y", "z", "s.f"), fc.integer({ min: 1, max: 3 }))
      .map(([v, n]) => `${v} = ${v} + ${n};`),
  },
  fc.tuple(cell, expression).map(([to, value]) => `${to} = ${value} % 50;`),
  fc.constantFrom("u = u - 3u;", "u = u * 2u + 1u;", "c = c + 100;", "c--;", "u = (unsigned)x;"),
  fc.constantFrom("p = &x;", "p = &y;", "p = &a[1];", "p = a + (z & 3);", "bump(p);", "bump(&z);"),
  { weight: 2, arbitrary: fc.constantFrom("x = small();", "z = small();", "y = y + small();", "a[z & 3] = small();") },
  fc.constantFrom("if (small() > 0) p = &y;", "if (small() > 2) break;", "if (small() < 0) x = y;"),
  fc.constantFrom("s = t;", "t.f = x % 50;", "t = s;"),
  // In a loop only: the generator puts simple statements into loops.
  fc.tuple(condition, fc.constantFrom("break;", "continue;")).map(([test, jump]) => `if (${test}) ${jump}`),
);

const statement = (depth: number): fc.Arbitrary<string> =>
  depth === 0
    ? simple
    : fc.oneof(
        { weight: 5, arbitrary: simple },
        fc
          .tuple(condition, block(depth - 1), block(depth - 1))
          .map(([test, a, b]) => `if (${test}) {\n${a}\n} else {\n${b}\n}`),
        fc
          .tuple(place, block(depth - 1), block(depth - 1), simple)
          .map(
            ([v, a, b, c]) =>
              `switch (${v} & 3) {\ncase 0: {${a}\n} break;\ncase 1: {${b}\n}\ndefault: { ${c} } break;\n}`,
          ),
        { weight: 2, arbitrary: loop(depth - 1) },
      );

const block = (depth: number): fc.Arbitrary<string> =>
  fc.array(statement(depth), { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n"));

function loop(depth: number): fc.Arbitrary<string> {
  const limit = fc.constantFrom("n", "5", "3", "(z & 7)", "4");
  // Inner loops may have the outer one's name: it is another variable.
  const name = (letter: string) => fc.nat(99).map((number) => `${letter}${number}`);
  return fc.oneof(
    fc
      .tuple(name("i"), limit, block(depth))
      .map(([i, to, body]) => `for (int ${i} = 0; ${i} < ${to}; ${i}++) {\n${body}\n}`),
    fc
      .tuple(name("w"), condition, block(depth))
      .map(([w, test, body]) => `{ int ${w} = 0;\nwhile (${w} < 6 && (${test})) {\n${w}++;\n${body}\n} }`),
    // As many rounds as the inputs say.
    {
      weight: 2,
      arbitrary: fc
        .tuple(block(depth), fc.constantFrom("x", "y", "z", "s.f", "a[1]"), fc.constantFrom("+ 1", "+ 2", "- 1"))
        .map(([body, to, by]) => `while (small() > 0) {\n${body}\n${to} = ${to} ${by};\n}`),
    },
    fc
      .tuple(name("d"), limit, block(depth))
      .map(([d, to, body]) => `{ int ${d} = 0;\ndo {\n${d}++;\n${body}\n} while (${d} < ${to}); }`),
  );
}

/** A loop with statements up to some depth, and up to so many other parts before or after it. */
export function loopProgram(depth: number, others: number): fc.Arbitrary<LoopProgram> {
  const outsideOfLoops = simple.filter((line) => !/break|continue/.test(line));
  const parts = fc.array(fc.oneof({ weight: 3, arbitrary: loop(depth) }, outsideOfLoops), { maxLength: others });
  return fc
    .tuple(loop(depth), parts, fc.boolean())
    .map(([own, rest, first]) => ({ body: (first ? [own, ...rest] : [...rest, own]).join("\n") }));
}

/** The program with what it does at its end. */
export function programText({ body }: LoopProgram, end: string): string {
  return `${prelude}
int main(void) {
int n = __VERIFIER_nondet_int();
if (n < 0 || n > 9) n = 4;
int x = 0, y = 1, z = n; unsigned u = 2u; unsigned char c = 7; int a[4] = {0, 1, 2, 3};
struct pair s = {1, 2}; struct pair t = {5, 6}; int *p = &x;
${body}
${end}
return 0;
}
`;
}

/** Prints the values of the variables, one a line. */
export const printing = variables.map((name) => `printf("%d\\n", (int)(${name}));`).join("\n");

/** A fact about the final values, chosen by numbers; mostly about what changed since the start. */
export function factAbout(values: readonly number[], choice: readonly number[]): string {
  const [kind = 0, first = 0, second = 0, slack = 0] = choice;
  const moved = values.flatMap((value, i) => (value === initial[i] ? [] : [i]));
  const i = moved.length > 0 && first % 5 > 0 ? moved[first % moved.length]! : first % values.length;
  const j = second % values.length;
  const name = (k: number) => `(int)(${variables[k]})`;
  switch (kind % 6) {
    case 0:
      return `${name(i)} >= ${values[i]! - (slack % 4)}`;
    case 1:
      return `${name(i)} <= ${values[i]! + (slack % 4)}`;
    case 2:
      return `${name(i)} == ${values[i]}`;
    case 3:
      return `${name(i)} <= ${name(j)} + ${Math.max(0, values[i]! - values[j]!) + (slack % 3)}`;
    case 4:
      return `${name(i)} != ${values[i]! + 1 + (slack % 3)}`;
    default:
      return `${name(i)} >= ${values[i]! - (slack % 4)} && ${name(j)} <= ${values[j]! + (slack % 5)}`;
  }
}
