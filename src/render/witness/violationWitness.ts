import { stringify } from "yaml";
import { present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { ArgumentStep, Explanation } from "../../commands/explain/result.ts";
import type { TimedInput } from "../../commands/run/result.ts";
import { type PlacesInSource, type Position, placesInSource } from "./placesInSource.ts";
import {
  assertsWithReachError,
  cConjunction,
  namesIn,
  stepsOf,
  type WitnessOptions,
  withSpecification,
  witnessMetadata,
  yamlOptions,
} from "./witnessMetadata.ts";

/** With more inputs, only the relevant ones are part of the witness. */
const MOST_INPUTS = 1000;

/**
 * A violation witness of format 2.0, or null where the run does not fail. Its waypoints are passed by the recorded run in
 * this order:
 *
 *   function_return   for each input, the value that the nondeterministic function returned
 *   assumption        for an input that is a variable, and for the facts of the explanation
 *   target            where the run fails
 *
 * Between waypoints a run is free, so leaving one out makes the witness more general and never wrong: a fact is left out
 * where C cannot say it, or where no statement begins at the place up to which it holds. The inputs settle every branch;
 * branching waypoints would say nothing more.
 */
export function toViolationWitness(report: Explanation, options: WitnessOptions): string | null {
  const { outcome } = report;
  const failed = outcome.kind !== "exit" && outcome.kind !== "assumption" && outcome.kind !== "limit";
  if (!failed || outcome.location === null || report.kind === "doesNotFail" || report.failure?.kind === "condition")
    return null;
  const placesOf = (path: string) => {
    const outline = options.outline(path);
    return outline === null ? null : placesInSource(outline);
  };
  const waypoints = [...beforeTarget(report, placesOf), target(report, outcome.location, options, placesOf)];
  const content = waypoints.map((waypoint) => ({ segment: [{ waypoint }] }));
  const metadata = witnessMetadata(report, "violation_sequence", withSpecification(report, options));
  return stringify([{ entry_type: "violation_sequence", metadata, content }], { ...yamlOptions, lineWidth: 0 });
}

type PlacesOf = (path: string) => PlacesInSource | null;

type Waypoint = {
  readonly type: "assumption" | "function_return" | "target";
  readonly action: "follow";
  readonly constraint?: { readonly value: string; readonly format: "c_expression" | "acsl_expression" };
  readonly location: {
    readonly file_name: string;
    readonly line: number;
    readonly column?: number;
    readonly function?: string;
  };
};

type Timed = { readonly step: number; readonly waypoint: Waypoint };

function beforeTarget(report: Explanation, placesOf: PlacesOf): Waypoint[] {
  const inputs = shownInputs(report).map((input) => ({ step: input.step, waypoint: inputWaypoint(input, placesOf) }));
  const facts = factWaypoints(stepsOf(report), placesOf);
  return [...inputs, ...facts].sort((a, b) => a.step - b.step).map(({ waypoint }) => waypoint);
}

function shownInputs(report: Explanation): readonly TimedInput[] {
  const { inputs } = report;
  if (inputs.length <= MOST_INPUTS || report.kind !== "explained") return inputs;
  const irrelevant = new Set(report.inputCondition?.irrelevant);
  return inputs.filter((_, index) => !irrelevant.has(index));
}

/** The location of a return value is the closing parenthesis of the call. */
function inputWaypoint({ value, source, location }: TimedInput, placesOf: PlacesOf): Waypoint {
  const places = placesOf(location.file);
  const end = places === null ? null : places.endOfCall(location, source);
  const isVariable = places !== null && end === null;
  if (isVariable) {
    const start = places.statementStart(location);
    const constraint = { value: `${source} == ${value}`, format: "c_expression" } as const;
    return { type: "assumption", action: "follow", constraint, location: place(location.file, start ?? location) };
  }
  return {
    type: "function_return",
    action: "follow",
    constraint: { value: `\\result == ${value}`, format: "acsl_expression" },
    location: place(location.file, end ?? { line: location.endLine, column: location.endColumn - 1 }),
  };
}

/** A fact holds until the next location of the explanation, so it is assumed before the statement there. */
function factWaypoints(steps: readonly ArgumentStep[], placesOf: PlacesOf): Timed[] {
  const result: Timed[] = [];
  for (const [i, fact] of steps.entries()) {
    if (fact.kind !== "fact") continue;
    const next = steps.slice(i + 1).find((step) => step.kind !== "fact");
    if (next === undefined || next.kind === "loop" || next.function !== fact.function) continue;
    const places = placesOf(next.location.file);
    if (!places?.beginsStatement(next.location)) continue;
    const value = cConjunction(fact.formulas);
    const start = places.statementStart(next.location)!;
    const previous = steps.slice(0, i).findLast((step) => step.kind !== "fact");
    if (previous !== undefined && isWithin(previous, next, places)) continue;
    if (value === null || !namesIn(fact.formulas).every((name) => places.inScope(start, name))) continue;
    const location = place(next.location.file, start, next.function);
    const constraint = { value, format: "c_expression" } as const;
    const step = next.kind === "target" ? Number.MAX_SAFE_INTEGER : next.step - 0.5;
    result.push({ step, waypoint: { type: "assumption", action: "follow", constraint, location } });
  }
  return result;
}

const intrinsics = /^(assert|__VERIFIER_\w+|reach_error|abort|exit)$/;

/**
 * True if the earlier place may belong to the same statement, directly or in a called function: the fact is then too
 * new.
 */
function isWithin(earlier: ArgumentStep, place: ArgumentStep, places: PlacesInSource): boolean {
  const [from, to] = [present(earlier.location), present(place.location)];
  if (earlier.function !== place.function) return places.callsIn(to).some((name) => !intrinsics.test(name));
  const [a, b] = [places.statementStart(from), places.statementStart(to)];
  return from.file !== to.file || (a?.line === b?.line && a?.column === b?.column);
}

/** The statement or full expression that violates the property. */
function target(
  { outcome }: Explanation,
  location: SourceRange,
  options: WitnessOptions,
  placesOf: PlacesOf,
): Waypoint {
  const places = placesOf(location.file);
  const byCall = assertsWithReachError(outcome, options) ? places?.callStatement("reach_error") : null;
  const start = byCall ?? places?.statementStart(location) ?? null;
  const inFunction = byCall ? undefined : outcome.function;
  const at =
    start === null ? { file_name: location.file, line: location.line } : place(location.file, start, inFunction);
  return { type: "target", action: "follow", location: at };
}

function place(file: string, { line, column }: Position, inFunction?: string): Waypoint["location"] {
  return { file_name: file, line, column, ...(inFunction === undefined ? {} : { function: inFunction }) };
}
