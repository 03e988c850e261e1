import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { changeKinds } from "../../changes/kinds.ts";
import { type Expression, rangeOfExpression } from "../../ir/expression.ts";
import { expressionsWithin } from "../../ir/operation.ts";
import type { Edge, Program } from "../../ir/program.ts";
import type { SuspectedLine, WhatIfOf } from "./suspect.ts";
import { isCalledTest } from "./testCode.ts";

/** The evidence about a line: experiments, passing runs, dependences, and its content. */
export type Examined = Omit<SuspectedLine, "weight" | "evidence" | "certainty"> & {
  readonly content: LineContent;
  /** The number of passing runs that reach it, out of `asked`. */
  readonly covered: number;
  readonly asked: number;
  /** True if it prevented a write to a pointer to a dead object. */
  readonly unlinks: boolean;
  /** True if it changed the source of a derived field and left the derived field unchanged. */
  readonly stales: boolean;
  /** True if it is in a test oracle. */
  readonly asks: boolean;
  readonly failing: boolean;
};

/** The features of a line; `weights` has their weights. */
export type Evidence = Readonly<Record<keyof typeof weights, number>>;

/**
 * Fitted on failing mutants (docs/counterfactuals.md): the sum of weights is the logarithm of the likelihood that a
 * line was changed. Weights that would only reflect which edits the measurement forbids were set by hand: smaller edits
 * are never worse.
 */
export const weights = {
  test: -3.2,
  asks: -1.2,
  nothing: -2.1,
  /** A change of the text lets the run pass, and all other tests. */
  changePasses: 0.5,
  changePassesAll: 1.0,
  onlyChange: 0.5,
  /** The logarithms of how many kinds of change do so. */
  kindsPassing: 1.0,
  kindsPassingAll: 0.5,
  simpleChange: 0.5,
  /** The largest share of votes for the behaviour of a change that passes all tests. */
  agreement: 1.0,
  /** All changes that pass do so because the run does not reach the check. */
  changeAvoids: -0.5,
  changeGetsPast: 0.2,
  flipPasses: 0.6,
  onlyFlip: 0.2,
  flipAvoids: -0.3,
  flipGetsPast: 0.5,
  valuePasses: 0.0,
  valueGetsPast: -0.5,
  /** A value off by one would have helped. */
  valueClose: 0.4,
  valueAvoids: -0.3,
  farthestValue: 0.2,
  /** The share of passing runs that reach it, and whether none does. */
  covered: -0.8,
  uncovered: 1.5,
  rarelyCovered: 0.6,
  outsideOfSlice: -0.4,
  distance: -0.05,
  plain: -1.1,
  plainReturn: -0.9,
  operators: 0.3,
  constants: 0.05,
  subscripts: 0.1,
  calls: -0.15,
  names: 0.25,
  tests: 0.1,
  omits: 0.7,
  /** Set by hand: other changes that help here usually just keep the object alive, or never create it. */
  unlinks: 6,
  /** Set by hand: if a statement is missing, changes of existing ones help by accident. */
  stales: 5,
  failing: 0.9,
} as const;

/** The degree to which `main` counts as test code. */
const driver = 0.5;

/** The features of each line; some depend on the other lines. */
export function evidenceOf(lines: readonly Examined[]): readonly Evidence[] {
  const others = lines.filter(({ inTest }) => !inTest);
  const passing = (kind: "flip" | "value") => others.filter((line) => line[kind]?.level === "passes");
  const alone = {
    change: others.filter((line) => line.changes.some(passesAll)).length === 1,
    flip: passing("flip").length === 1,
    farthest: Math.max(...passing("value").map(({ distance }) => distance)),
  };
  return lines.map((line) => evidence(line, alone));
}

function evidence(
  {
    function: fn,
    changes,
    flip,
    value,
    inTest,
    distance,
    content,
    covered,
    asked,
    omission,
    unlinks,
    stales,
    asks,
    failing,
  }: Examined,
  alone: { readonly change: boolean; readonly flip: boolean; readonly farthest: number },
): Evidence {
  const passing = changes.filter(({ level }) => level === "passes");
  const reaching = passing.filter(({ avoids }) => !avoids);
  const all = reaching.filter(passesAll);
  const passes = { flip: flip?.level === "passes", value: value?.level === "passes" };
  const is = (fact: boolean) => (fact ? 1 : 0);
  const plain = isPlain(content);
  const change = value === null ? Number.NaN : Math.abs(Number(value.from) - Number(value.to));
  return {
    test: inTest ? (isCalledTest(fn) ? 1 : driver) : 0,
    asks: is(asks),
    nothing: is(changes.length === 0 && flip === null && value === null),
    changePasses: is(reaching.length > 0),
    changePassesAll: is(all.length > 0),
    onlyChange: is(all.length > 0 && alone.change),
    kindsPassing: Math.log1p(kindsOf(reaching)),
    kindsPassingAll: Math.log1p(kindsOf(all)),
    simpleChange: is(reaching.some(({ change }) => changeKinds[change.kind].simple)),
    agreement: Math.max(0, ...all.map(({ agreement }) => agreement)),
    changeAvoids: is(passing.length > 0 && reaching.length === 0),
    changeGetsPast: is(passing.length === 0 && changes.length > 0),
    flipAvoids: is(flip?.avoids === true),
    valueAvoids: is(value?.avoids === true),
    flipPasses: is(passes.flip),
    onlyFlip: is(passes.flip && alone.flip),
    flipGetsPast: is(flip?.level === "getsPast"),
    valuePasses: is(passes.value),
    valueGetsPast: is(value?.level === "getsPast"),
    valueClose: is(value?.place.type.kind !== "pointer" && change <= 1),
    farthestValue: is(passes.value && distance === alone.farthest),
    covered: asked === 0 ? 0 : covered / asked,
    uncovered: is(asked > 0 && covered === 0),
    rarelyCovered: asked === 0 ? 0 : 1 / Math.sqrt(1 + covered),
    outsideOfSlice: is(distance === -1),
    distance: distance === -1 ? 0 : Math.log1p(distance),
    plain: is(plain),
    plainReturn: is(plain && content.returns),
    operators: Math.min(content.operators, 4),
    constants: Math.min(content.constants, 3),
    subscripts: Math.min(content.subscripts, 3),
    calls: Math.min(content.calls, 2),
    names: Math.log1p(content.names),
    tests: is(content.tests),
    omits: is(omission !== null),
    unlinks: is(unlinks),
    stales: is(stales),
    failing: is(failing),
  };
}

export function passesAll({ level, broken }: Pick<WhatIfOf<"change">, "level" | "broken">): boolean {
  return level === "passes" && broken.length === 0;
}

function kindsOf(changes: readonly WhatIfOf<"change">[]): number {
  return new Set(changes.map(({ change }) => change.kind)).size;
}

export function scoreOf(evidence: Evidence): number {
  let score = 0;
  for (const [name, weight] of Object.entries(weights)) score += weight * evidence[name as keyof Evidence];
  return score;
}

export type LineContent = {
  readonly operators: number;
  readonly constants: number;
  readonly subscripts: number;
  readonly calls: number;
  readonly names: number;
  readonly tests: boolean;
  readonly returns: boolean;
};

export const noContent: LineContent = {
  operators: 0,
  constants: 0,
  subscripts: 0,
  calls: 0,
  names: 0,
  tests: false,
  returns: false,
};

/** A plain copy can only be wrong in its source. */
export function isPlain({ operators, constants, subscripts, calls, tests }: LineContent): boolean {
  return operators + constants + subscripts + calls === 0 && !tests;
}

export function lineKey({ file, line }: SourceRange): string {
  return `${file}:${line}`;
}

const operatorKinds: ReadonlySet<Expression["kind"]> = new Set(["binary", "comparison", "pointerDifference", "unary"]);

export function contentOfLines(program: Program): ReadonlyMap<string, LineContent> {
  const lines = new Map<string, { -readonly [K in keyof LineContent]: LineContent[K] }>();
  const names = new Map<string, Set<string>>();
  const seen = new Set<Expression>();
  for (const { edges } of program.functions) {
    for (const edge of edges) {
      const key = lineKey(edge.range);
      const line = lines.get(key) ?? { ...noContent };
      lines.set(key, line);
      const known = names.get(key) ?? new Set();
      names.set(key, known);
      const count = (expression: Expression): void => {
        // Both edges of a branch have the same condition.
        if (seen.has(expression)) return;
        seen.add(expression);
        if (expression.kind === "variable") known.add(`${expression.variable}`);
        else if (expression.kind === "fieldAddress") known.add(`.${expression.field}`);
        else if (expression.kind === "constant") line.constants += rangeOfExpression(expression) === null ? 0 : 1;
        else if (expression.kind === "offset") line.subscripts++;
        else if (operatorKinds.has(expression.kind)) line.operators++;
      };
      for (const expression of expressionsWithin(edge.operation)) count(expression);
      note(line, edge);
      line.names = known.size;
    }
  }
  return lines;
}

function note(line: { -readonly [K in keyof LineContent]: LineContent[K] }, { operation }: Edge): void {
  if (operation.kind === "call" || operation.kind === "callLibrary") line.calls++;
  if (operation.kind === "assume" || operation.kind === "case") line.tests = true;
  if (operation.kind === "return") line.returns = true;
}

export function suspectOrder(lines: readonly Examined[]): readonly SuspectedLine[] {
  if (lines.length === 0) return [];
  const evidence = evidenceOf(lines);
  const scored = lines.map((line, i) => {
    const own = nth(evidence, i);
    return { line: { ...line, evidence: own }, score: scoreOf(own) };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const odds = scored.map(({ line, score }) => ({ line, score, odds: Math.exp(score - best) }));
  const all = odds.reduce((sum, each) => sum + each.odds, 0);
  const sorted = odds
    .sort((a, b) => compareKeys(keyOf(a.line, a.score), keyOf(b.line, b.score)))
    .map(({ line, odds: own, score }) => ({ ...line, weight: own / all, score }));
  const isPassing = ({ changes }: Examined) => changes.some(passesAll);
  const only = sorted.filter(isPassing).length === 1;
  const gap = nth(sorted, 0).score - (sorted[1]?.score ?? Number.NEGATIVE_INFINITY);
  return withAnotherFunction(
    sorted.map(({ score: _, ...line }, i) => ({
      ...line,
      certainty: !isPassing(line)
        ? "none"
        : i === 0 && (only || gap >= sureGap) && isConvincing(line.changes)
          ? "sure"
          : "possible",
    })),
  );
}

/** All tests pass, and not only with one of the many changes that rarely help. */
function isConvincing(changes: readonly WhatIfOf<"change">[]): boolean {
  const all = changes.filter((each) => passesAll(each) && each.stillFailing.length === 0);
  return kindsOf(all) > 1 || all.some(({ change }) => changeKinds[change.kind].stage < 3);
}

/** The first line stands out by this difference of scores. */
const sureGap = 2.5;

/**
 * The last of the first suspects is moved up from another function: missing code has no line, but its function has
 * others.
 */
function withAnotherFunction(sorted: readonly SuspectedLine[]): readonly SuspectedLine[] {
  const known = new Set(sorted.slice(0, firstOnes - 1).map((suspect) => suspect.function));
  const other = sorted.findIndex(({ function: fn, inTest }) => !inTest && !known.has(fn));
  if (other < firstOnes) return sorted;
  return sorted.toSpliced(other, 1).toSpliced(firstOnes - 1, 0, nth(sorted, other));
}

const firstOnes = 5;

function keyOf({ flip, distance, lastStep }: Examined, score: number): readonly number[] {
  return [
    -score,
    flip?.distance ?? Number.POSITIVE_INFINITY,
    distance === -1 ? Number.POSITIVE_INFINITY : distance,
    -lastStep,
  ];
}

export function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return nth(a, i) < nth(b, i) ? -1 : 1;
  return 0;
}
