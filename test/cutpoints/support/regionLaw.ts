import { sampleHeads, type Visit } from "../../../src/analyses/verify/sampleHeads.ts";
import { overflowIn } from "../../../src/cutpoints/obligation.ts";
import {
  buildModel,
  type ModelOptions,
  type ModelRegion,
  type ProgramModel,
} from "../../../src/cutpoints/programModel.ts";
import type { RunOptions } from "../../../src/interpreter/run.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import type { Program } from "../../../src/ir/program.ts";
import type { Value } from "../../../src/logic/evaluate.ts";
import type { Term, Variable } from "../../../src/logic/term.ts";
import type { Solver } from "../../../src/solver/solver.ts";
import { axiomsFor } from "../../../src/symbolic/createProver.ts";

export type RegionLawResult = {
  readonly checked: number;
  readonly unanswered: number;
  readonly mismatches: readonly string[];
};

/** What a run does between two loop heads, the region between them allows; and an error that it reaches. */
export function checkRegionLaw(
  program: Program,
  run: RunOptions,
  solver: Solver,
  options: ModelOptions & { readonly most: number },
): RegionLawResult {
  const model = buildModel(program, options);
  const trace = recordTrace(program, { ...run, undefinedBehaviour: overflowIn(options), maxSteps: 200_000 });
  const visits = sampleHeads(model, trace, { all: true, most: 400 });
  const mismatches: string[] = [];
  let checked = 0;
  let unanswered = 0;
  const isFailure = trace.outcome.kind === "assertion" || trace.outcome.kind === "error-location";
  const pairs = visits.map((visit, i) => [i === 0 ? null : visits[i - 1]!, visit] as const);
  const stride = Math.max(1, Math.ceil(pairs.length / options.most));
  const ask = (region: ModelRegion, formulas: readonly Term[], what: string) => {
    checked++;
    solver.push();
    const all = [...formulas, ...region.definitions];
    solver.assert(...all, ...axiomsFor(model.symbols, all, new Set()));
    const answer = solver.check();
    solver.pop();
    if (answer.kind === "unsat") mismatches.push(what);
    if (answer.kind === "unknown") unanswered++;
  };
  for (const [i, [before, after]] of pairs.entries()) {
    if (i % stride !== 0 && i !== pairs.length - 1) continue;
    const region = regionFrom(model, before);
    const exit = region.exits.find(({ to }) => to === after.head);
    if (exit === undefined) {
      mismatches.push(`no exit from ${before?.head ?? "start"} to ${after.head} at step ${after.step}`);
      continue;
    }
    const head = model.heads.get(after.head)!;
    const next = head.live.flatMap((place, k) => equations(model, exit.next.get(place)!, place, after.values[k]!));
    ask(region, [exit.guard, ...entry(model, before), ...next], `step ${after.step}: ${before?.head} to ${after.head}`);
  }
  if (isFailure) {
    const last = visits.at(-1) ?? null;
    const region = regionFrom(model, last);
    const { terms } = model;
    const error = terms.any(region.errors.map(({ guard }) => guard));
    ask(region, [error, ...entry(model, last)], `error after ${last?.head ?? "start"}`);
  }
  return { checked, unanswered, mismatches };
}

function regionFrom(model: ProgramModel, visit: Visit | null): ModelRegion {
  return model.regions.find(({ from }) => from === (visit?.head ?? null))!;
}

function entry(model: ProgramModel, visit: Visit | null): readonly Term[] {
  if (visit === null) return [];
  const { live } = model.heads.get(visit.head)!;
  return live.flatMap((place, k) => equations(model, place, place, visit.values[k]!));
}

/** Addresses are numbers of the interpreter's own; everything else is as it is. */
function equations(model: ProgramModel, term: Term, place: Variable, value: Value | null): readonly Term[] {
  const { terms, symbols } = model;
  if (value === null) return [];
  const cell = symbols.cellOf(place);
  const type = cell?.kind === "register" ? cell.type : cell?.kind === "region" ? cell.region.type : null;
  if (type === null || type.kind === "pointer" || type.kind === "float") return [];
  if (typeof value === "bigint") return [terms.eq(term, terms.int(value))];
  if (typeof value === "boolean") return [];
  return [...value.entries].flatMap(([index, cellValue]) =>
    cellValue === null ? [] : [terms.eq(terms.select(term, terms.int(index)), terms.int(cellValue))],
  );
}
