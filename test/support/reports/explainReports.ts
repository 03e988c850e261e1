import type { ArgumentStep } from "../../../src/commands/explain/result.ts";
import { counters, countersCompressed, countersLoop, countersOutcome } from "./compressReports.ts";
import type { FlatExplained } from "./flatReport.ts";
import { at, checkedClaim, common, formula, formulas, sourceOf } from "./reportParts.ts";

/** Fails for every n: what matters is that j never falls behind i. */
export const countersExplained: FlatExplained = {
  ...countersCompressed,
  command: "explain",
  dataModel: "LP64",
  explanation: { statements: 3, between: 0, facts: 2, variables: 3 },
  steps: [
    {
      kind: "statement",
      id: 1,
      step: 2,
      depth: 0,
      function: "main",
      text: "i = 0",
      location: at(counters, 10, "int i = 0"),
      writes: [{ name: "i", value: 0 }],
      because: [{ for: 3, text: "the loop starts with j >= i" }],
    },
    {
      kind: "statement",
      id: 2,
      step: 3,
      depth: 0,
      function: "main",
      text: "j = 0",
      location: at(counters, 11, "int j = 0"),
      writes: [{ name: "j", value: 0 }],
      because: [{ for: 3, text: "j >= i" }],
    },
    {
      kind: "fact",
      id: 3,
      function: "main",
      formulas: formulas("j >= i"),
      values: [
        { name: "i", value: 0 },
        { name: "j", value: 0 },
      ],
      location: at(counters, 11, "int j = 0"),
      because: [{ for: 4, text: "the invariant holds at the start" }],
    },
    {
      kind: "loop",
      id: 4,
      step: 4,
      depth: 0,
      function: "main",
      text: "while (i != n)",
      invariant: formulas("j >= i"),
      iterations: 100,
      location: countersLoop.location,
      because: [{ for: 5, text: "i is n after the loop" }],
    },
    {
      kind: "fact",
      id: 5,
      function: "main",
      formulas: formulas("j >= n"),
      values: [
        { name: "j", value: 200 },
        { name: "n", value: 100 },
      ],
      location: countersLoop.location,
      because: [{ for: 6, text: "the assertion is its negation" }],
    },
    {
      kind: "target",
      id: 6,
      depth: 0,
      function: "main",
      text: "assert(j < n)",
      formula: formula("j >= n"),
      location: countersOutcome.location,
      because: [],
    },
  ],
  inputCondition: {
    formulas: ["n >= 0"],
    claims: "total",
    open: [],
    proved: true,
    proof: checkedClaim,
    text: "fails the same way for every n >= 0",
    irrelevant: [],
  },
  reproducer: {
    inputs: [0],
    command: "tracefold run two-counters.c --inputs 0",
    steps: 6,
    confirmed: true,
  },
  dropped: 3,
};

const foo = "unit_foo.c";

export function explained(
  base: ReturnType<typeof common>,
  rest: Omit<FlatExplained, keyof ReturnType<typeof common>>,
): FlatExplained {
  return { ...base, ...rest };
}

/** The unit test of the error-invariants paper's Fig. 1. */
export const fooExplained: FlatExplained = explained(common(foo, "main"), {
  command: "explain",
  dataModel: "LP64",
  target: { formula: "res < 0", location: at(foo, 11, "res >= 0") },
  outcome: {
    kind: "assertion",
    message: "assertion failed: res >= 0",
    location: at(foo, 11, "assert(res >= 0)"),
    function: "testFoo",
  },
  inputs: [],
  trace: { steps: 8 },
  folded: { steps: 8 },
  unrolls: 0,
  innerUnrolls: 0,
  loops: [],
  explanation: { statements: 4, between: 0, facts: 4, variables: 4 },
  steps: [
    {
      kind: "statement",
      id: 1,
      step: 1,
      depth: 1,
      function: "testFoo",
      text: "foo(0, -2, 1)",
      location: at(foo, 10, "foo(0, -2, 1)"),
      writes: [
        { name: "a", value: 0 },
        { name: "b", value: -2 },
        { name: "x", value: 1 },
      ],
      because: [{ for: 2, text: "passes a, b and x" }],
    },
    fact(2, "foo", "a == 0 && b == -2 && x == 1", 10, [
      ["a", 0],
      ["b", -2],
      ["x", 1],
    ]),
    fooStatement(3, 2, 4, "x = x + a", ["x", 1], [{ for: 4, text: "leaves x at 1" }]),
    fact(4, "foo", "b == -2 && x == 1", 4, [
      ["b", -2],
      ["x", 1],
    ]),
    fooStatement(5, 3, 5, "x = x + b", ["x", -1], [{ for: 6, text: "makes x negative" }]),
    fact(6, "foo", "x == -1", 5, [["x", -1]]),
    {
      kind: "statement",
      id: 7,
      step: 5,
      depth: 2,
      function: "foo",
      text: "return x",
      location: at(foo, 7, "return x;"),
      writes: [{ name: "res", value: -1 }],
      because: [{ for: 8, text: "res is x" }],
    },
    fact(8, "testFoo", "res < 0", 7, [["res", -1]]),
    {
      kind: "target",
      id: 9,
      depth: 1,
      function: "testFoo",
      text: "assert(res >= 0)",
      formula: formula("res < 0"),
      location: at(foo, 11, "assert(res >= 0)"),
      because: [],
    },
  ],
  inputCondition: {
    formulas: [],
    claims: "total",
    open: [],
    proved: true,
    proof: checkedClaim,
    text: "the run reads no input",
    irrelevant: [],
  },
  reproducer: null,
  dropped: 3,
  proof: { triples: 9, checked: true, checker: "cvc5", failures: [] },
});

function factOf(formula: string, values: readonly (readonly [string, number])[]) {
  return {
    formulas: formulas(...formula.split(" && ")),
    values: values.map(([name, value]) => ({ name, value })),
  };
}

function fact(id: number, fn: string, formula: string, after: number, values: [string, number][]): ArgumentStep {
  const fragment = sourceOf(foo)!.split("\n")[after - 1]!.trim();
  const because = [{ for: id + 1, text: "holds before it" }];
  return { kind: "fact", id, function: fn, ...factOf(formula, values), location: at(foo, after, fragment), because };
}

function fooStatement(
  id: number,
  step: number,
  number: number,
  text: string,
  [name, value]: [string, number],
  because: ArgumentStep["because"],
): ArgumentStep {
  const location = at(foo, number, text);
  return { kind: "statement", id, step, depth: 2, function: "foo", text, location, writes: [{ name, value }], because };
}

const shell = "shell3.c";

/** Shell sort of three cells: how the stray third one comes to the front. */
export const shellExplained: FlatExplained = explained(common(shell, "main"), {
  command: "explain",
  dataModel: "LP64",
  target: { formula: "a[0] != 11", location: at(shell, 19, "a[0] == 11") },
  outcome: {
    kind: "assertion",
    message: "assertion failed: a[0] == 11 && a[1] == 14",
    location: at(shell, 19, "assert(a[0] == 11 && a[1] == 14)"),
    function: "main",
  },
  inputs: [],
  trace: { steps: 41 },
  folded: { steps: 41 },
  unrolls: 0,
  innerUnrolls: 0,
  loops: [
    {
      location: at(shell, 8, "for (i = h; i < size; i++) {"),
      function: "shell_sort",
      iterations: 2,
      foldedFrom: null,
      invariant: [],
      inner: [],
      proof: { triples: 0, checked: false },
      failure: { reason: "no candidate implies a[0] != 11 after the loop", tried: [], best: null, lost: null },
    },
  ],
  explanation: { statements: 5, between: 0, facts: 4, variables: 5 },
  steps: [
    shellStatement(
      1,
      0,
      0,
      "main",
      17,
      "a[2] = 0",
      "int a[3] = {11, 14, 0}",
      ["a[2]", 0],
      [{ for: 5, text: "v reads this cell on line 9" }],
    ),
    shellStatement(2, 12, 1, "shell_sort", 8, "i++", "i++", ["i", 2], [{ for: 3, text: "selects the third cell" }]),
    shellFact(3, "shell_sort", "i == 2 && a[i] == 0", 8, "i++", [["i", 2]]),
    shellStatement(4, 14, 1, "shell_sort", 9, "v = a[i]", "int v = a[i]", ["v", 0], []),
    shellFact(5, "shell_sort", "v == 0", 9, "int v = a[i]", [["v", 0]]),
    shellStatement(6, 22, 1, "shell_sort", 10, "j -= h", "j -= h", ["j", 0], []),
    shellFact(7, "shell_sort", "j == 0 && v == 0", 10, "j -= h", [["j", 0]]),
    shellStatement(8, 26, 1, "shell_sort", 12, "a[j] = v", "a[j] = v", ["a[0]", 0], []),
    shellFact(9, "main", "a[0] == 0", 12, "a[j] = v", [["a[0]", 0]]),
    {
      kind: "target",
      id: 10,
      depth: 0,
      function: "main",
      text: "assert(a[0] == 11 && a[1] == 14)",
      formula: formula("a[0] != 11"),
      location: at(shell, 19, "assert(a[0] == 11 && a[1] == 14)"),
      because: [],
    },
  ],
  inputCondition: {
    formulas: [],
    claims: "total",
    open: [],
    proved: true,
    proof: checkedClaim,
    text: "the run reads no input",
    irrelevant: [],
  },
  reproducer: null,
  dropped: 36,
  proof: { triples: 10, checked: true, checker: "cvc5", failures: [] },
});

function shellStatement(
  id: number,
  step: number,
  depth: number,
  fn: string,
  number: number,
  text: string,
  fragment: string,
  [name, value]: [string, number],
  because: ArgumentStep["because"],
): ArgumentStep {
  const location = at(shell, number, fragment);
  return { kind: "statement", id, step, depth, function: fn, text, location, writes: [{ name, value }], because };
}

function shellFact(
  id: number,
  fn: string,
  formula: string,
  after: number,
  fragment: string,
  values: [string, number][],
): ArgumentStep {
  const because = [{ for: id + 1, text: "holds before it" }];
  return { kind: "fact", id, function: fn, ...factOf(formula, values), location: at(shell, after, fragment), because };
}

export const explainReports: readonly (readonly [string, FlatExplained])[] = [
  ["two counters", countersExplained],
  ["unit test", fooExplained],
  ["shell sort", shellExplained],
];
