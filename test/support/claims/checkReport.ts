import { joinFormulas } from "../../../src/base/text.ts";
import type { ArgumentStep } from "../../../src/commands/explain/result.ts";
import { type InputValue, parseInputs } from "../../../src/interpreter/inputs.ts";
import { type ObservedState, observe } from "../../../src/interpreter/observe.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { stepCursor } from "../../../src/interpreter/stepCursor.ts";
import type { Function, Program, ProgramVariable } from "../../../src/ir/program.ts";
import type { ScalarValue } from "../../../src/ir/scalarValue.ts";
import { completeSize, isScalar, pointerBytesOf, type Type } from "../../../src/ir/type.ts";
import { evaluateFormula } from "./evaluateFormula.ts";
import type { ExplainedCase } from "./explainedRun.ts";
import { type Formula, parseFormula, partsOf } from "./formula.ts";
import type { Violation } from "./judgeClaim.ts";
import { satisfies } from "./readClaim.ts";
import { describeOutcome, sameFailure } from "./sameFailure.ts";

export type ReportCheck = { readonly violations: readonly Violation[]; readonly facts: number };

/** What a report says of the recorded run itself and of the run that replays it. */
export function checkReport(explained: ExplainedCase): ReportCheck {
  const { violations, facts } = checkFacts(explained);
  return { violations: [...violations, ...checkClaim(explained), ...checkReplay(explained)], facts };
}

function checkClaim({ trace, report, claim }: ExplainedCase): Violation[] {
  if (claim.kind === "none") return [];
  const inputs = trace.inputs.map(({ value }) => value);
  const found: Violation[] = [];
  if (satisfies(claim, (index) => inputs[index] ?? null) === false) {
    found.push({ kind: "recorded run is outside", detail: claim.text, inputs });
  }
  const { proof } = report.inputCondition;
  if (proof.status !== "checked") {
    found.push({ kind: "proved unchecked", detail: `${claim.text}, but the proof is not checked`, inputs });
  }
  return found;
}

function checkReplay({ trace, report }: ExplainedCase): Violation[] {
  const { reproducer } = report;
  if (reproducer === null) return [];
  const listed = reproducer.inputs.map((value) => (typeof value === "string" ? BigInt(value) : value));
  const printed = parseInputs(/--inputs=(\S*)/.exec(reproducer.command)?.[1] ?? "");
  const inputs: readonly InputValue[] = printed;
  if (listed.map(String).join() !== printed.map(String).join()) {
    return [{ kind: "replay", detail: `${reproducer.command} has other inputs than ${listed}`, inputs }];
  }
  const { outcome, steps } = runProgram(trace.program, { inputs });
  if (sameFailure(trace.outcome, outcome) && steps === reproducer.steps) return [];
  const detail = `${describeOutcome(outcome)} after ${steps} steps instead of ${describeOutcome(trace.outcome)} after ${reproducer.steps}`;
  return [{ kind: "replay", detail, inputs }];
}

/** Each fact, evaluated where it stands on the recorded run. */
function checkFacts({ trace, report }: ExplainedCase): ReportCheck {
  const inputs = trace.inputs.map(({ value }) => value);
  const violations: Violation[] = [];
  let facts = 0;
  const wanted = new Map<number, (ArgumentStep & { readonly kind: "fact" })[]>();
  report.steps.forEach((step, i) => {
    const before = report.steps[i - 1];
    if (step.kind !== "fact" || before?.kind !== "statement") return;
    wanted.set(before.step, [...(wanted.get(before.step) ?? []), step]);
  });
  for (const { step, function: fn, location } of locationsAfter(trace, wanted)) {
    observe(trace, [{ kind: "location", function: fn.id, location }], (state) => {
      if (state.step !== step) return;
      for (const { formulas, function: own } of wanted.get(step)!) {
        const printed = joinFormulas(formulas);
        const formula = own === fn.name ? parseFormula(printed) : null;
        const value = formula && evaluateFormula(formula, (place) => valueAt(trace.program, fn, state, place));
        if (typeof value !== "boolean" || !isPlain(formula!)) continue;
        facts++;
        const detail = `after step ${step}: ${printed} is false`;
        if (value === false) violations.push({ kind: "fact", detail, inputs });
      }
      return "stop";
    });
  }
  return { violations, facts };
}

/** A temporary is told by its expression, which is C's: only sums and comparisons mean the same in all cases. */
function isPlain(formula: Formula): boolean {
  return partsOf(formula).every((part) => {
    if (part.kind === "binary") return /^([+-]|[<>=!]=|[<>]|&&|\|\|)$/.test(part.operator);
    return part.kind !== "conditional" && part.kind !== "cast" && part.kind !== "call";
  });
}

/** Where control is after some steps of the run, which are counted from 1. */
function locationsAfter(trace: ExplainedCase["trace"], wanted: ReadonlyMap<number, unknown>) {
  const found: { step: number; function: Function; location: Function["entry"] }[] = [];
  const cursor = stepCursor(trace);
  while (cursor.next()) {
    const fn = trace.program.functions[cursor.function]!;
    const edge = fn.edges[cursor.edge]!;
    // A call or return goes on elsewhere.
    if (!wanted.has(cursor.step + 1) || edge.operation.kind === "call" || edge.operation.kind === "return") continue;
    found.push({ step: cursor.step + 1, function: fn, location: edge.to });
  }
  return found;
}

/** The value of a variable or of a cell of an array; null where it has none, or is a pointer. */
function valueAt(program: Program, fn: Function, state: ObservedState, place: Formula): bigint | null {
  const owner = place.kind === "cell" ? place.array : place;
  const variable = owner.kind === "name" ? variableNamed(program, fn, owner.name) : null;
  if (variable === null) return null;
  if (place.kind !== "cell") {
    if (variable.type.kind === "pointer") return null;
    if (variable.storage === "register") return integer(state.register(variable.id));
    return readAt(state, state.addressOf(variable.id), variable.type);
  }
  const index = evaluateFormula(place.index, (inner) => valueAt(program, fn, state, inner));
  if (variable.type.kind !== "array" || typeof index !== "bigint") return null;
  const { element, length } = variable.type;
  if (index < 0n || length === null || index >= length) return null;
  const bytes = completeSize(element, pointerBytesOf(program.dataModel));
  return readAt(state, state.addressOf(variable.id) + Number(index) * bytes, element);
}

function readAt(state: ObservedState, pointer: number, type: Type): bigint | null {
  return isScalar(type) && type.kind !== "pointer" ? integer(state.load(pointer, type)) : null;
}

function integer(value: ScalarValue | undefined): bigint | null {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : null;
  return value ?? null;
}

function variableNamed(program: Program, fn: Function, name: string): ProgramVariable | null {
  const own = [...fn.parameters, ...fn.locals].map((id) => program.variables[id]!);
  const candidates = [...own, ...program.variables.filter(({ kind }) => kind === "static")].filter(
    (variable) => variable.name === name,
  );
  return candidates.length === 1 ? candidates[0]! : null;
}
