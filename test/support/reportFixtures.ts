import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceRange } from "../../src/base/sourceRange.ts";
import type { ArgumentStep } from "../../src/explain/argument.ts";
import type { ExplainReport } from "../../src/explain/explainReport.ts";
import type { Explained } from "../../src/explain/explanation.ts";
import { argumentOf } from "../../src/explain/joinExplanation.ts";
import { outlineTree } from "../../src/frontend/c/outline/outlineTree.ts";
import type { SourceOutline } from "../../src/frontend/c/outline/sourceOutline.ts";
import type { CompressReport } from "../../src/jobs/compress/compressReport.ts";
import type { Formula } from "../../src/jobs/formula.ts";
import { checkedProof } from "../../src/proof/checkedProof.ts";
import type { Argued } from "../../src/report/explainText.ts";
import { parseText } from "../frontend/c/parse/parseText.ts";
import { root } from "./builtCli.ts";

const checkedClaim = {
  status: "checked",
  ...checkedProof({ triples: [], verdicts: [], checked: true, interrupted: false, checker: "z3" })!,
} as const;

/** Reports as the analyses give them, written by hand for programs of this repository. */

const folders: Readonly<Record<string, string>> = {
  "unit_foo.c": "test/fixtures/cbmc",
  "shell3.c": "test/fixtures/cbmc",
  "two-counters.c": "examples/folding",
  "nested.c": "examples/folding",
};

export function sourceOf(path: string): string | null {
  const folder = folders[path];
  return folder === undefined ? null : readFileSync(join(root, folder, path), "utf8");
}

/** The outline of a text that can stand alone. */
export function outlineOf(path: string, source = sourceOf): SourceOutline | null {
  const text = source(path);
  return text === null ? null : (outlineTree(parseText(text), () => text).get("test.c") ?? null);
}

/** The place of `fragment` in a line; its last occurrence. */
export function at(file: string, line: number, fragment: string): SourceRange {
  const column = sourceOf(file)!.split("\n")[line - 1]!.lastIndexOf(fragment) + 1;
  if (column === 0) throw new Error(`${file}:${line} has no ${fragment}`);
  return { file, line, column, endLine: line, endColumn: column + fragment.length };
}

/** A formula that C can say as it stands, unless told. */
export function formula(text: string, c: string | null = text): Formula {
  const names = [...new Set(text.match(/[A-Za-z_]\w*/g))];
  const variables = names.map((name) => ({ symbol: name, text: name, name, declared: null }));
  return { text, tight: !/ \|\| | \? |^forall/.test(text), term: text, c, variables };
}

export function formulas(...texts: readonly string[]): readonly Formula[] {
  return texts.map((text) => formula(text));
}

function common(file: string, entry: string) {
  const sha256 = createHash("sha256").update(sourceOf(file)!).digest("hex");
  return {
    schema: 2,
    tool: { name: "tracefold", version: "0.1.0" },
    status: "ok",
    program: { files: [{ path: file, sha256 }], entry },
    notes: [],
    stats: { ms: 120, solver: { queries: 31, ms: 48 } },
    unknowns: [],
  } as const;
}

const counters = "two-counters.c";

const countersInput = {
  value: 100,
  type: "int",
  source: "__VERIFIER_nondet_int",
  location: at(counters, 8, "__VERIFIER_nondet_int()"),
  step: 0,
} as const;

const countersLoop = {
  location: at(counters, 12, "i != n"),
  function: "main",
  iterations: 100,
  foldedFrom: 0,
  invariant: formulas("j >= i"),
  inner: [],
  proof: { triples: 3, checked: true },
  failure: null,
} as const;

const countersOutcome = {
  kind: "assertion",
  message: "assertion failed: j < n",
  location: at(counters, 16, "assert(j < n)"),
  function: "main",
} as const;

/** The paper's first example with n = 100. */
export const countersCompressed: CompressReport = {
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

function line(step: number, number: number, text: string, fragment: string, value?: string) {
  const location = at(counters, number, fragment);
  const base = { kind: "step", step, depth: 0, function: "main", text, location } as const;
  return value === undefined ? base : { ...base, value };
}

/** The same run where nothing folded. */
export const countersUnfolded: CompressReport = {
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
export const nestedCompressed: CompressReport = (() => {
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

/** Fails for every n: what matters is that j never falls behind i. */
export const countersExplained: ExplainReport = {
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

function explained(
  base: ReturnType<typeof common>,
  rest: Omit<ExplainReport, keyof ReturnType<typeof common>>,
): ExplainReport {
  return { ...base, ...rest };
}

/** The unit test of the error-invariants paper's Fig. 1. */
export const fooExplained: ExplainReport = explained(common(foo, "main"), {
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
export const shellExplained: ExplainReport = explained(common(shell, "main"), {
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

/** The explanation that a report is a part of. */
export function asExplained(report: ExplainReport): Explained {
  const { outcome, target, status, steps } = report;
  const asked = target?.asked === true || outcome.kind === "exit";
  const location = (asked ? target?.location : outcome.location) ?? steps.at(-1)?.location ?? at(counters, 1, "extern");
  const {
    schema: _,
    dropped: __,
    droppedSteps: ___,
    explanation: ____,
    steps: _____,
    target: ______,
    ...rest
  } = report;
  const { folded: _a, unrolls: _b, innerUnrolls: _c, ...head } = rest;
  return {
    ...head,
    schema: 2,
    status: status === "ok" ? "ok" : "unknown",
    kind: "explained",
    failure: {
      kind: asked ? "condition" : outcome.kind,
      message: asked ? `${target?.formula} holds` : outcome.message,
      location,
      function: outcome.function ?? steps.at(-1)?.function ?? "main",
      ...{ stack: [], condition: null, places: [], printed: null },
    },
    ...{ sections: [], suspects: [], also: [], cut: { rows: 0, suspects: 0 }, missing: [] },
    argument: argumentOf(report),
    inputCondition: report.inputCondition.text === "" ? null : report.inputCondition,
  };
}

export function asArgued(report: ExplainReport): Argued {
  const explained = asExplained(report);
  if (explained.argument === null) throw new Error("there is no argument");
  return { ...explained, argument: explained.argument };
}

export const explainReports: readonly (readonly [string, ExplainReport])[] = [
  ["two counters", countersExplained],
  ["unit test", fooExplained],
  ["shell sort", shellExplained],
];

export const compressReports: readonly (readonly [string, CompressReport])[] = [
  ["two counters", countersCompressed],
  ["two counters, not folded", countersUnfolded],
  ["nested loops", nestedCompressed],
];
