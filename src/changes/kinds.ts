import type { Change } from "./change.ts";

/** How a change of some kind is told: as a replaced text, or as a statement that is inserted, deleted or moved. */
export type ChangeForm = "replaced" | "inserted" | "deleted" | "moved";

export type KindOfChange = {
  /** 1: few candidates that often help; 2: more; 3: many that rarely help, and missing code. */
  readonly stage: 1 | 2 | 3;
  readonly how: ChangeForm;
  /** True for an edit inside of an expression that adds no condition. */
  readonly simple: boolean;
  /** True for changes that print what is expected: they often pass by accident, so they are told last. */
  readonly accident?: true;
  /** On the measured bugs: the changes of this kind that passed all given tests, and those that also passed held-out ones. */
  readonly passing: number;
  readonly correct: number;
};

/**
 * The kinds of change that are tried, for all languages; a language contributes the generators. The figures come from
 * an experiment with 172 single-hunk bugs of student programs in C (docs/changes.md).
 */
const table = {
  boundary: { stage: 1, how: "replaced", simple: true, passing: 16, correct: 15 },
  comparison: { stage: 1, how: "replaced", simple: true, passing: 60, correct: 33 },
  oppositeComparison: { stage: 1, how: "replaced", simple: true, passing: 12, correct: 8 },
  arithmetic: { stage: 1, how: "replaced", simple: true, passing: 70, correct: 35 },
  bitwise: { stage: 1, how: "replaced", simple: true, passing: 8, correct: 6 },
  connective: { stage: 1, how: "replaced", simple: true, passing: 8, correct: 3 },
  assignmentOperator: { stage: 1, how: "replaced", simple: true, passing: 28, correct: 5 },
  updateDirection: { stage: 1, how: "replaced", simple: true, passing: 2, correct: 0 },
  updateStep: { stage: 1, how: "replaced", simple: true, passing: 6, correct: 1 },
  updatePosition: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  droppedUpdate: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  equalsOrAssigns: { stage: 1, how: "replaced", simple: true, passing: 7, correct: 5 },
  droppedConjunct: { stage: 1, how: "replaced", simple: true, passing: 12, correct: 7 },
  droppedOperand: { stage: 1, how: "replaced", simple: true, passing: 39, correct: 21 },
  swappedOperands: { stage: 1, how: "replaced", simple: true, passing: 17, correct: 12 },
  regrouped: { stage: 1, how: "replaced", simple: true, passing: 7, correct: 4 },
  widerCast: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  floatingCast: { stage: 1, how: "replaced", simple: true, passing: 1, correct: 1 },
  droppedCast: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  roundedUp: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  positiveRemainder: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  droppedUnary: { stage: 1, how: "replaced", simple: true, passing: 2, correct: 0 },
  arraySize: { stage: 1, how: "replaced", simple: true, passing: 15, correct: 5 },
  constantByOne: { stage: 1, how: "replaced", simple: true, passing: 62, correct: 32 },
  smallConstant: { stage: 1, how: "replaced", simple: true, passing: 45, correct: 24 },
  character: { stage: 1, how: "replaced", simple: true, passing: 28, correct: 24 },
  macroConstant: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  boundByOne: { stage: 1, how: "replaced", simple: true, passing: 77, correct: 51 },
  indexByOne: { stage: 1, how: "replaced", simple: true, passing: 22, correct: 8 },
  characterOffset: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  swappedVariables: { stage: 1, how: "replaced", simple: true, passing: 22, correct: 9 },
  valueByOne: { stage: 1, how: "replaced", simple: true, passing: 56, correct: 23 },
  absolute: { stage: 1, how: "replaced", simple: true, passing: 6, correct: 5 },
  negated: { stage: 1, how: "replaced", simple: true, passing: 48, correct: 31 },
  otherFunction: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  otherField: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  addressOf: { stage: 1, how: "replaced", simple: true, passing: 1, correct: 1 },
  swappedArguments: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  otherText: { stage: 1, how: "replaced", simple: true, passing: 7, correct: 5 },
  /** The figures of this kind and of those that say so come from 420 other bugs. */
  expectedWord: { stage: 1, how: "replaced", simple: true, passing: 5, correct: 5 },
  outputSpace: { stage: 1, how: "replaced", simple: true, passing: 6, correct: 6 },
  negatedCondition: { stage: 1, how: "replaced", simple: true, passing: 3, correct: 0 },
  constantCondition: { stage: 1, how: "replaced", simple: true, passing: 33, correct: 18 },
  deletedStatement: { stage: 1, how: "deleted", simple: false, passing: 35, correct: 24 },
  unguarded: { stage: 1, how: "replaced", simple: false, passing: 13, correct: 8 },
  ifToWhile: { stage: 1, how: "replaced", simple: false, passing: 0, correct: 0 },
  whileToIf: { stage: 1, how: "replaced", simple: false, passing: 1, correct: 0 },
  droppedElse: { stage: 1, how: "replaced", simple: false, passing: 1, correct: 0 },
  deletedElse: { stage: 1, how: "deleted", simple: false, passing: 4, correct: 3 },
  addedElse: { stage: 1, how: "inserted", simple: false, passing: 2, correct: 1 },
  /** Not measured. */
  restoredComment: { stage: 1, how: "inserted", simple: false, passing: 0, correct: 0 },
  /** From 420 other bugs, as the next one. */
  shiftedLoop: { stage: 1, how: "replaced", simple: true, passing: 6, correct: 1 },
  otherRange: { stage: 3, how: "replaced", simple: true, passing: 26, correct: 10 },
  otherJump: { stage: 1, how: "replaced", simple: false, passing: 0, correct: 0 },
  swappedStatements: { stage: 1, how: "moved", simple: false, passing: 6, correct: 2 },
  initialValue: { stage: 1, how: "replaced", simple: true, passing: 1, correct: 1 },
  widerType: { stage: 1, how: "replaced", simple: true, passing: 1, correct: 1 },
  floatingType: { stage: 1, how: "replaced", simple: true, passing: 4, correct: 2 },
  integerType: { stage: 1, how: "replaced", simple: true, passing: 1, correct: 1 },
  otherVariable: { stage: 2, how: "replaced", simple: true, passing: 261, correct: 102 },
  constantForVariable: { stage: 2, how: "replaced", simple: true, passing: 80, correct: 41 },
  variableForConstant: { stage: 2, how: "replaced", simple: true, passing: 73, correct: 28 },
  elementForVariable: { stage: 2, how: "replaced", simple: true, passing: 32, correct: 14 },
  /** From 420 other bugs: `a[i]` instead of `1`. */
  elementForConstant: { stage: 3, how: "replaced", simple: true, passing: 7, correct: 2 },
  /** Not measured, as the next one: `i` instead of `a[i]`. */
  indexForElement: { stage: 2, how: "replaced", simple: true, passing: 0, correct: 0 },
  /** `a % b == 0` instead of `a == b`. */
  divisible: { stage: 2, how: "replaced", simple: true, passing: 0, correct: 0 },
  otherConstant: { stage: 2, how: "replaced", simple: true, passing: 88, correct: 47 },
  scaledConstant: { stage: 2, how: "replaced", simple: true, passing: 126, correct: 52 },
  largeConstant: { stage: 2, how: "replaced", simple: true, passing: 14, correct: 9 },
  format: { stage: 2, how: "replaced", simple: true, passing: 24, correct: 9 },
  scaledValue: { stage: 2, how: "replaced", simple: true, passing: 97, correct: 47 },
  /** From 420 other bugs: `x < 0 ? 0 : x`. */
  clamped: { stage: 2, how: "replaced", simple: true, passing: 79, correct: 14 },
  addedCondition: { stage: 2, how: "replaced", simple: false, passing: 386, correct: 167 },
  otherCondition: { stage: 2, how: "replaced", simple: false, passing: 307, correct: 145 },
  insertedJump: { stage: 2, how: "inserted", simple: false, passing: 80, correct: 56 },
  movedStatement: { stage: 2, how: "moved", simple: false, passing: 135, correct: 69 },
  otherExpression: { stage: 2, how: "replaced", simple: true, passing: 75, correct: 44 },
  addedRichCondition: { stage: 3, how: "replaced", simple: false, passing: 122, correct: 53 },
  otherRichCondition: { stage: 3, how: "replaced", simple: false, passing: 116, correct: 53 },
  guarded: { stage: 3, how: "replaced", simple: false, passing: 225, correct: 100 },
  richlyGuarded: { stage: 3, how: "replaced", simple: false, passing: 52, correct: 22 },
  addedTerm: { stage: 3, how: "replaced", simple: true, passing: 107, correct: 61 },
  /** Not measured: `else x = 0;`. */
  insertedElse: { stage: 3, how: "inserted", simple: false, passing: 0, correct: 0 },
  insertedCopy: { stage: 3, how: "inserted", simple: false, passing: 64, correct: 40 },
  insertedCopyOfIf: { stage: 3, how: "inserted", simple: false, passing: 28, correct: 13 },
  insertedReset: { stage: 3, how: "inserted", simple: false, passing: 65, correct: 20 },
  insertedSmallValue: { stage: 3, how: "inserted", simple: false, passing: 30, correct: 14 },
  insertedAssignment: { stage: 3, how: "inserted", simple: false, passing: 39, correct: 14 },
  insertedUpdate: { stage: 3, how: "inserted", simple: false, passing: 53, correct: 14 },
  /** From 420 other bugs: `x %= n;`. */
  insertedCombination: { stage: 3, how: "inserted", simple: false, passing: 13, correct: 3 },
  insertedMinMax: { stage: 3, how: "inserted", simple: false, passing: 26, correct: 8 },
  insertedGuardedJump: { stage: 3, how: "inserted", simple: false, passing: 55, correct: 34 },
  insertedGuardedOutput: { stage: 3, how: "inserted", simple: false, accident: true, passing: 46, correct: 22 },
  insertedGuardedCopy: { stage: 3, how: "inserted", simple: false, passing: 23, correct: 12 },
  insertedOutput: { stage: 3, how: "inserted", simple: false, accident: true, passing: 24, correct: 21 },
  // For JavaScript; without figures of their own they count as the mean.
  siblingMethod: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  droppedArgument: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  droppedCall: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  comparator: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  booleanConstant: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  conditionalBranch: { stage: 1, how: "replaced", simple: true, passing: 0, correct: 0 },
  addedArgument: { stage: 2, how: "replaced", simple: true, passing: 0, correct: 0 },
  addedCall: { stage: 2, how: "replaced", simple: true, passing: 0, correct: 0 },
  droppedProperty: { stage: 2, how: "replaced", simple: true, passing: 0, correct: 0 },
  droppedElement: { stage: 2, how: "replaced", simple: true, passing: 0, correct: 0 },
  swappedElements: { stage: 3, how: "replaced", simple: true, passing: 0, correct: 0 },
  emptyValue: { stage: 3, how: "replaced", simple: true, passing: 0, correct: 0 },
  pattern: { stage: 3, how: "replaced", simple: true, passing: 0, correct: 0 },
  variableForExpression: { stage: 3, how: "replaced", simple: false, passing: 0, correct: 0 },
  insertedReturn: { stage: 3, how: "inserted", simple: false, passing: 0, correct: 0 },
} as const satisfies Readonly<Record<string, KindOfChange>>;

export type ChangeKind = keyof typeof table;

export const changeKinds: Readonly<Record<ChangeKind, KindOfChange>> = table;

/** At most this many changes are tried on a failing run. */
export const mostChanges = 3_000;

/** The weight of the mean over all kinds, counted as so many measured changes. */
const smoothing = 4;

const all = Object.values(changeKinds);
const mean = all.reduce((sum, each) => sum + each.correct, 0) / all.reduce((sum, each) => sum + each.passing, 0);

/** The probability that a change of this kind is right, given that it passes all tests. */
export function probabilityCorrect(kind: ChangeKind): number {
  const { passing, correct, accident } = changeKinds[kind];
  if (accident) return 0;
  return (correct + smoothing * mean) / (passing + smoothing);
}

/** A change with which the failing test passes. */
export type PassingChange = {
  readonly change: Change;
  /** All tests that passed before pass with it. */
  readonly passesAll: boolean;
  /** The part of the other failing tests that pass with it, too; null if it is not known. */
  readonly repairs?: number | null;
};

export type LineScore = {
  readonly file: string;
  readonly line: number;
  readonly score: number;
  /** Those that pass all tests first, then those that repair more tests, then by the probability that they are right. */
  readonly changes: readonly PassingChange[];
};

/** Further evidence about a line, between 0 and 1; 0 if nothing is known. */
export type LineEvidence = (
  file: string,
  line: number,
) => {
  readonly lateness: number;
  /** How much the tests that reach the line speak against it. */
  readonly suspicion?: number;
};

/** The weights of the score, from an experiment with 172 bugs (docs/changes.md). */
const weights = {
  /** Some change passes all tests. */
  passesAll: 1,
  /** The weight of the logarithm of how many kinds of change pass all tests. */
  kindsPassingAll: 0.5,
  /** The same for the kinds of change that let the failing test pass. */
  kindsPassing: 1,
  /** A simple edit passes. */
  simple: 0.5,
  /** Late in the run. */
  lateness: 0.5,
  /** A change repairs the other failing tests, too. Not fitted. */
  repairs: 2,
  /** The tests speak against the line. Not fitted. */
  suspicion: 1,
} as const;

/** The lines with passing changes, likeliest first. One accident is one vote; a faulty line gets votes of many kinds. */
export function orderLines(passing: readonly PassingChange[], evidence: LineEvidence): readonly LineScore[] {
  const byLine = new Map<string, { file: string; line: number; changes: PassingChange[] }>();
  for (const each of passing) {
    for (const line of each.change.lines) {
      const key = `${each.change.file}:${line}`;
      const entry = byLine.get(key) ?? { file: each.change.file, line, changes: [] };
      byLine.set(key, entry);
      entry.changes.push(each);
    }
  }
  return [...byLine.values()]
    .map(({ file, line, changes }) => ({
      file,
      line,
      score: scoreOf(changes, evidence(file, line)),
      changes: changes.toSorted(
        (a, b) =>
          Number(b.passesAll) - Number(a.passesAll) ||
          (b.repairs ?? 0) - (a.repairs ?? 0) ||
          byPromise(a.change, b.change),
      ),
    }))
    .sort((a, b) => b.score - a.score);
}

function scoreOf(changes: readonly PassingChange[], { lateness, suspicion = 0 }: ReturnType<LineEvidence>): number {
  const all = changes.filter(({ passesAll }) => passesAll);
  const kinds = (list: readonly PassingChange[]) => new Set(list.map(({ change }) => change.kind)).size;
  const isSimple = changes.some(({ change }) => changeKinds[change.kind].simple);
  return (
    (all.length > 0 ? weights.passesAll : 0) +
    weights.kindsPassingAll * Math.log1p(kinds(all)) +
    weights.kindsPassing * Math.log1p(kinds(changes)) +
    (isSimple ? weights.simple : 0) +
    weights.lateness * lateness +
    weights.suspicion * suspicion +
    weights.repairs * Math.max(0, ...all.map(({ repairs }) => repairs ?? 0))
  );
}

/** What a further token takes from the probability: a long change does in a roundabout way what a short one does. */
const tokenCost = 0.05;

/** The change that is likelier to be right comes first; of two that are nearly as likely, the smaller one. */
export function byPromise(a: Change, b: Change): number {
  return promiseOf(b) - promiseOf(a) || a.size - b.size;
}

function promiseOf(change: Change): number {
  return probabilityCorrect(change.kind) - tokenCost * change.size;
}
