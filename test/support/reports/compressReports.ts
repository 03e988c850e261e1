import type { FlatCompressed } from "./flatReport.ts";
import { at, common, formula, formulas } from "./reportParts.ts";

export const counters = "two-counters.c";

const countersInput = {
  value: 100,
  type: "int",
  source: "__VERIFIER_nondet_int",
  location: at(counters, 8, "__VERIFIER_nondet_int()"),
  step: 0,
} as const;

export const countersLoop = {
  location: at(counters, 12, "i != n"),
  function: "main",
  iterations: 100,
  foldedFrom: 0,
  invariant: formulas("j >= i"),
  inner: [],
  proof: { triples: 3, checked: true },
  failure: null,
} as const;

export const countersOutcome = {
  kind: "assertion",
  message: "assertion failed: j < n",
  location: at(counters, 16, "assert(j < n)"),
  function: "main",
} as const;

/** The paper's first example with n = 100. */
export const countersCompressed: FlatCompressed = {
  ...common(counters, "main"),
  command: "compress",
  target: { formula: "j >= n", location: at(counters, 16, "j < n") },
  outcome: countersOutcome,
  inputs: [countersInput],
  trace: { steps: 306 },
  folded: { steps: 7 },
  unrolls: 0,
  innerUnrolls: 0,
  loops: [countersLoop],
  steps: [
    line(0, 8, "n = __VERIFIER_nondet_int()", "int n = __VERIFIER_nondet_int()", "100"),
    line(1, 9, "n >= 0", "n >= 0"),
    line(2, 10, "i = 0", "int i = 0", "0"),
    line(3, 11, "j = 0", "int j = 0", "0"),
    {
      kind: "loop",
      step: 4,
      depth: 0,
      function: "main",
      loop: 0,
      iterations: 100,
      steps: 300,
      invariant: formulas("j >= i"),
      location: countersLoop.location,
    },
    line(304, 12, "!(i != n)", "i != n"),
    line(305, 16, "!(j < n)", "j < n"),
  ],
  proof: { triples: 5, checked: true, checker: "cvc5", failures: [] },
};

export function line(step: number, number: number, text: string, fragment: string, value?: string) {
  const location = at(counters, number, fragment);
  const base = { kind: "step", step, depth: 0, function: "main", text, location } as const;
  return value === undefined ? base : { ...base, value };
}

/** The same run where nothing folded. */
export const countersUnfolded: FlatCompressed = {
  ...countersCompressed,
  folded: { steps: 306 },
  loops: [
    {
      ...countersLoop,
      foldedFrom: null,
      invariant: [],
      proof: { triples: 0, checked: false },
      failure: {
        reason: "the invariant does not imply j >= n after the loop",
        tried: [
          { from: 0, candidates: 14 },
          { from: 1, candidates: 12 },
          { from: 3, candidates: 12 },
        ],
        best: { from: 1, invariant: formulas("i >= 0", "i <= n") },
        lost: { fact: formula("j >= n"), text: "j = j + 2", location: at(counters, 14, "j = j + 2") },
      },
    },
  ],
  steps: [
    ...countersCompressed.steps.slice(0, 4),
    ...Array.from(
      { length: 300 },
      (_, i) =>
        [
          line(4 + i, 12, "i != n", "i != n"),
          line(4 + i, 13, "i = i + 1", "i = i + 1", `${Math.floor(i / 3) + 1}`),
          line(4 + i, 14, "j = j + 2", "j = j + 2", `${2 * Math.floor(i / 3) + 2}`),
        ].at(i % 3)!,
    ),
    ...countersCompressed.steps.slice(5),
  ],
  proof: { triples: 0, checked: false, checker: null, failures: [] },
};

/** The nested loops of the paper's Fig. 1: one outer iteration unrolled, then folded together with the inner loop. */
export const nestedCompressed: FlatCompressed = (() => {
  const file = "nested.c";
  const step = (n: number, number: number, text: string, fragment: string, value?: string) => {
    const base = {
      kind: "step",
      step: n,
      depth: 0,
      function: "main",
      text,
      location: at(file, number, fragment),
    } as const;
    return value === undefined ? base : { ...base, value };
  };
  const [outer, inner, last] = [at(file, 8, "i < 10"), at(file, 11, "j < 10"), at(file, 21, "k < 10")];
  const loop = { function: "main", inner: [], failure: null, proof: { triples: 4, checked: true } } as const;
  return {
    ...common(file, "main"),
    command: "compress",
    target: { formula: "y >= 0", location: at(file, 24, "y < 0") },
    outcome: {
      kind: "assertion",
      message: "assertion failed: y < 0",
      location: at(file, 24, "assert(y < 0)"),
      function: "main",
    },
    inputs: [],
    trace: { steps: 327 },
    folded: { steps: 13 },
    unrolls: 1,
    innerUnrolls: 0,
    loops: [
      {
        ...loop,
        location: outer,
        iterations: 10,
        foldedFrom: 1,
        invariant: formulas("x == 1"),
        inner: [{ location: inner, invariant: formulas("j < 1 || x == 1", "i >= 1") }],
      },
      { ...loop, location: inner, iterations: 10, foldedFrom: 0, invariant: formulas("j <= 1 || x == 1") },
      { ...loop, location: last, iterations: 10, foldedFrom: 0, invariant: formulas("x == 1", "y >= 0") },
    ],
    steps: [
      step(0, 5, "i = 0", "int i = 0", "0"),
      step(1, 7, "x = 0", "int x = 0", "0"),
      step(2, 8, "i < 10", "i < 10"),
      step(3, 9, "x = 0", "x = 0", "0"),
      step(4, 10, "j = i", "j = i", "0"),
      {
        kind: "loop",
        step: 5,
        depth: 0,
        function: "main",
        loop: 1,
        iterations: 10,
        steps: 40,
        invariant: formulas("j <= 1 || x == 1"),
        location: inner,
      },
      step(45, 11, "!(j < 10)", "j < 10"),
      step(46, 18, "i = i + 1", "i = i + 1", "1"),
      {
        kind: "loop",
        step: 47,
        depth: 0,
        function: "main",
        loop: 0,
        iterations: 9,
        steps: 240,
        invariant: formulas("x == 1"),
        location: outer,
      },
      step(287, 8, "!(i < 10)", "i < 10"),
      step(288, 20, "y = 0", "int y = 0", "0"),
      {
        kind: "loop",
        step: 290,
        depth: 0,
        function: "main",
        loop: 2,
        iterations: 10,
        steps: 30,
        invariant: formulas("x == 1", "y >= 0"),
        location: last,
      },
      step(326, 24, "!(y < 0)", "y < 0"),
    ],
    proof: { triples: 15, checked: true, checker: "cvc5", failures: [] },
  };
})();

export const compressReports: readonly (readonly [string, FlatCompressed])[] = [
  ["two counters", countersCompressed],
  ["two counters, not folded", countersUnfolded],
  ["nested loops", nestedCompressed],
];
