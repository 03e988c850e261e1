import { describe, expect, it } from "vitest";
import type { Obligation } from "../../src/cutpoints/obligation.ts";
import { createTerms } from "../../src/logic/terms.ts";
import { countCases, printCoq, whyNotInCoq } from "../../src/proof/printCoq.ts";
import { compressText } from "../support/compressed.ts";
import { coqc } from "../support/coqc.ts";
import { hasTool } from "../support/tools.ts";

const count = (n: number, text: (i: number) => string) => Array.from({ length: n }, (_, i) => text(i)).join("\n");
const main = (body: string) =>
  `#include <assert.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n${body}\n}\n`;

const programs = [
  // Two ways for each of 33 states: a theorem for each.
  {
    name: "a state machine",
    input: 1,
    text: main(`
    int state = 0, valid = 1;
    for (int round = 0; round < 3; round++) {
      int key = __VERIFIER_nondet_int();
      switch (state) {
        ${count(33, (i) => `case ${i}: state = key == ${i} ? ${(5 * i + 2) % 33} : ${(i + 1) % 33}; break;`)}
        default: valid = 0;
      }
    }
    assert(!valid || state < 0 || state > 32);`),
  },
  // What is read may be the cell that was written, each time.
  {
    name: "the length of a text",
    input: 14,
    text: main(`
    char text[16];
    int size = __VERIFIER_nondet_int(), length = 0;
    if (size < 0 || size > 15) return 0;
    for (int i = 0; i < size; i++) text[i] = 'x';
    text[size] = 0;
    while (text[length]) length++;
    assert(length != size);`),
  },
  // Each link may lead to its cell or elsewhere, and so may all links behind it.
  {
    name: "a list",
    input: 5,
    text: main(`
    struct Link { int value; struct Link *rest; } *list = 0;
    int size = __VERIFIER_nondet_int(), made = 0, found = 0;
    for (int i = 0; i < size; i++) {
      struct Link *link = malloc(sizeof *link);
      link->rest = list;
      list = link;
      made++;
    }
    for (struct Link *link = list; link; link = link->rest) found++;
    assert(found != made);`),
  },
];

describe.skipIf(!hasTool("coqc"))("Coq finishes with conditionals that exclude each other", () => {
  it.each(programs)("$name", async ({ text, input }) => {
    const { proof } = await compressText(text, () => BigInt(input));
    expect(proof.checked).toBe(true);
    expect(proof.obligations.map(whyNotInCoq)).toEqual(proof.obligations.map(() => null));
    expect(coqc(printCoq(proof.obligations))).toEqual({ status: 0, output: "" });
  });
});

describe("cases that a proof distinguishes", () => {
  const terms = createTerms();
  const [zero, one] = [terms.int(0n), terms.int(1n)];
  const obligation = (conclusion: Obligation["conclusion"], hypotheses: Obligation["hypotheses"] = []): Obligation => ({
    ...{ name: "t", kind: "target", text: "{ true } any way { true }", hypotheses, conclusion },
    range: { file: "f.c", line: 1, column: 1, endLine: 1, endColumn: 2 },
  });
  const variable = (name: string) => terms.variable(name, "Int");
  const choices = Array.from({ length: 9 }, (_, i) =>
    terms.ite(terms.ge(variable(`x${i}`), zero), variable(`y${i}`), variable(`z${i}`)),
  );

  it("are added for conjuncts and multiplied within one", () => {
    expect(countCases(obligation(terms.all(choices.map((choice) => terms.ge(choice, zero)))), 1000)).toBe(18);
    expect(countCases(obligation(terms.ge(terms.add(...choices.slice(0, 4)), zero)), 1000)).toBe(16);
    // A number is equal to one of the others at most.
    const x = variable("x");
    const chain = [1n, 2n, 3n].reduce((rest, n) => terms.ite(terms.eq(x, terms.int(n)), variable(`y${n}`), rest), zero);
    expect(countCases(obligation(terms.ge(terms.add(chain, choices[0]!), terms.int(1n))), 1000)).toBe(8);
    expect(countCases(obligation(terms.ge(chain, terms.int(1n))), 1000)).toBe(4);
  });

  it.skipIf(!hasTool("coqc"))("are as many as Coq looks at: all ways of a large body in one theorem", () => {
    const flags = obligation(
      terms.all(choices.map((choice) => terms.ge(choice, zero))),
      choices.flatMap((_, i) => [terms.ge(variable(`y${i}`), zero), terms.ge(variable(`z${i}`), zero)]),
    );
    const state = variable("x");
    const isAt = (i: number) => terms.eq(state, terms.int(BigInt(i)));
    const states = Array.from({ length: 16 }, (_, i) => i);
    const next = states.reduce((rest, i) => terms.ite(isAt(i), terms.int(BigInt((5 * i) % 16)), rest), terms.int(99n));
    const machine = obligation(terms.le(next, terms.int(15n)), [
      terms.ge(state, zero),
      terms.le(state, terms.int(15n)),
    ]);
    expect(coqc(printCoq([flags, { ...machine, name: "machine" }]))).toEqual({ status: 0, output: "" });
  });

  it("are two for reading a cell after a write", () => {
    const [a, i] = [terms.variable("a", "Array"), terms.variable("i", "Int")];
    const read = terms.select(terms.store(a, i, one), zero);
    expect(countCases(obligation(terms.ge(read, zero)), 1000)).toBe(2);
  });

  it("are reported in the file instead of a theorem if there are too many", () => {
    const many = obligation(terms.ge(terms.add(...choices), zero));
    expect(whyNotInCoq(many)).toBe("it has too many cases");
    expect(printCoq([many])).toContain(
      "(* t is not expressed here: it has too many cases. Its SMT-LIB script has it. *)",
    );
  });
});
