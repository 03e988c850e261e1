import { nth, present } from "../base/checked.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { libraryFunction } from "../c/library/table.ts";
import type { ModelRegion, ProgramModel } from "../cutpoints/programModel.ts";
import { isUnresolved } from "../cutpoints/regionContext.ts";
import { reachableFunctions } from "../ir/calls.ts";
import { volatileUses } from "../ir/dataFlow.ts";
import type { UndefinedBehaviour } from "../ir/operation.ts";
import type { Program } from "../ir/program.ts";
import type { Term } from "../logic/term.ts";

/** Undefined behaviour that a verdict takes not to happen. */
export type Assumption = {
  /**
   * Not undefined are `outside-change`, something else than the program changes a `volatile` variable, and
   * `failed-allocation`, there is no memory left.
   */
  readonly behaviour: UndefinedBehaviour | "invalid-pointer" | "outside-change" | "failed-allocation";
  readonly range: SourceRange;
};

/** At most this many are asked about one by one; the others are listed as assumptions. */
const mostAsked = 120;

/** The undefined behaviour that the invariants do not exclude; unanswered queries count as not excluded. */
export function dischargeAssumptions(
  model: ProgramModel,
  invariants: ReadonlyMap<string, readonly Term[]>,
  follows: (assumptions: readonly Term[], goal: Term) => boolean,
): readonly Assumption[] {
  const { terms } = model;
  const open = new Map<string, Assumption>();
  const add = (behaviour: Assumption["behaviour"], range: SourceRange) =>
    open.set(`${behaviour}:${range.file}:${range.line}:${range.column}`, { behaviour, range });
  for (const approximation of model.approximations) {
    if (isUnresolved(approximation)) add("invalid-pointer", approximation.range);
  }
  for (const { behaviour, range } of model.unproved) add(behaviour, range);
  for (const { behaviour, range } of assumptionsAboutOutside(model.program)) add(behaviour, range);
  for (const region of model.regions) {
    const background = [...before(region, invariants), ...region.definitions];
    const together = terms.all(region.assumed.map(({ guard, formula }) => terms.implies(guard, formula)));
    if (region.assumed.length === 0 || follows(background, together)) continue;
    for (const [i, { guard, formula, problem, range }] of region.assumed.entries()) {
      if (i < mostAsked && follows(background, terms.implies(guard, formula))) continue;
      add(problem, range);
    }
  }
  return [...open.values()];
}

/** What a program asks of its surroundings. */
export function assumptionsAboutOutside(program: Program): readonly Assumption[] {
  return [
    ...volatileUses(program).map((range) => ({ behaviour: "outside-change", range }) as const),
    ...allocationsOf(program).map((range) => ({ behaviour: "failed-allocation", range }) as const),
  ];
}

/** Calls that give memory in every run of the model. */
function allocationsOf(program: Program): readonly SourceRange[] {
  return [...reachableFunctions(program)].flatMap((id) =>
    nth(program.functions, id).edges.flatMap(({ operation, range }) => {
      const isOne = operation.kind === "callLibrary" && libraryFunction(operation.name).allocates?.life === "heap";
      return isOne ? [range] : [];
    }),
  );
}

function before(region: ModelRegion, invariants: ReadonlyMap<string, readonly Term[]>): readonly Term[] {
  return region.from === null ? [] : present(invariants.get(region.from));
}
