import type { Cancellation } from "../base/cancellation.ts";
import { present } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { closeObligation, type Obligation } from "../cutpoints/obligation.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import { isTrue, type Sort, type Term } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import { type EncodedRuns, encodeRuns, type LoopPiece } from "../recordedRun/generalized/encodeRuns.ts";
import { planObligations, type RunsPlan } from "../recordedRun/generalized/planObligations.ts";
import type { Run } from "../recordedRun/run.ts";
import type { Target } from "../recordedRun/target.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { cutPointLabel, type FoldClaim, type Formulas, parseFormula, parseNumber } from "./claim.ts";
import { foldedLoopOf } from "./factObligations.ts";

/**
 * A claim about every run like the recorded one: those whose inputs satisfy the condition end, do nothing undefined before, and
 * fail as it does, but for what is left open. Text, as in a `FoldClaim`; inputs are `input(1)`, `input(2)`, ….
 */
export type RunsClaim = {
  /** The claim is about runs that go round as often as the recorded one: no loop is folded. */
  readonly roundByRound: boolean;
  readonly condition: readonly string[];
  /** For the folded loops that these runs go through, by the number of the piece of the run: see `encodeRuns`. */
  readonly loops: readonly LoopClaim[];
  /** The points that are left open, by keys: see `OpenPoint`. */
  readonly open: readonly string[];
  readonly sorts: Readonly<Record<string, Sort>>;
};

export type LoopClaim = {
  readonly piece: number;
  readonly invariants: readonly { readonly at: string; readonly formulas: readonly string[] }[];
  /** Components of a lexicographic ranking function: a number at each cut point, 0 where none is given. */
  readonly ranks: readonly (readonly { readonly at: string; readonly term: string }[])[];
};

export function runsClaimOf(symbols: Symbols, pieces: EncodedRuns["pieces"], plan: RunsPlan): RunsClaim {
  const terms: Term[] = [...plan.condition];
  const print = (term: Term): string => {
    terms.push(term);
    return printSmtLib(term);
  };
  const loops = [...plan.loops].map(([piece, { annotation, ranks }]): LoopClaim => {
    const label = labelIn(symbols, pieces[piece] as LoopPiece);
    return {
      piece,
      invariants: [...annotation].map(([key, formulas]) => ({ at: label(key), formulas: formulas.map(print) })),
      ranks: ranks.map((rank) => [...rank].map(([key, term]) => ({ at: label(key), term: print(term) }))),
    };
  });
  return {
    roundByRound: plan.roundByRound,
    condition: plan.condition.map(printSmtLib),
    loops,
    open: [...plan.open],
    sorts: Object.fromEntries(freeVariablesOf(terms).map(({ name, sort }) => [name, sort])),
  };
}

function labelIn(symbols: Symbols, { system }: LoopPiece): (key: string) => string {
  return (key) => cutPointLabel(symbols, present(system.blocks.get(key)).start);
}

/** The claim over the names of another encoding of the same runs. */
export function runsPlanOf(symbols: Symbols, { pieces }: EncodedRuns, claim: RunsClaim): RunsPlan {
  const source: Formulas = { sorts: claim.sorts };
  const loops = new Map<number, RunsPlan["loops"] extends ReadonlyMap<number, infer Plan> ? Plan : never>();
  assertLoops(symbols, pieces, claim);
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind !== "loop") continue;
    const own = claim.loops.find((loop) => loop.piece === i);
    const label = labelIn(symbols, piece);
    const keys = [...piece.system.blocks.keys()];
    loops.set(i, {
      annotation: new Map(
        keys.map((key) => {
          const claimed = own?.invariants.find(({ at }) => at === label(key))?.formulas ?? [];
          return [key, claimed.map((text) => parseFormula(symbols.terms, source, text))];
        }),
      ),
      ranks: (own?.ranks ?? []).map(
        (rank) =>
          new Map(
            keys.flatMap((key) => {
              const claimed = rank.find(({ at }) => at === label(key));
              return claimed === undefined ? [] : [[key, parseNumber(symbols.terms, source, claimed.term)] as const];
            }),
          ),
      ),
    });
  }
  return {
    roundByRound: claim.roundByRound,
    condition: claim.condition.map((text) => parseFormula(symbols.terms, source, text)),
    loops,
    open: new Set(claim.open),
  };
}

/** A claim says one thing about each cut point of a folded loop, and nothing about other points: nobody would look at it. */
function assertLoops(symbols: Symbols, pieces: EncodedRuns["pieces"], { loops }: RunsClaim): void {
  const seen = new Set<number>();
  for (const { piece: number, invariants, ranks } of loops) {
    const piece = pieces[number];
    const keys = piece?.kind === "loop" ? [...piece.system.blocks.keys()].map(labelIn(symbols, piece)) : [];
    const isClaimed = (claimed: readonly { readonly at: string }[]) =>
      claimed.every(({ at }, i) => keys.includes(at) && claimed.findIndex((other) => other.at === at) === i);
    if (!seen.has(number) && keys.length > 0 && isClaimed(invariants) && ranks.every(isClaimed)) {
      seen.add(number);
      continue;
    }
    throw new TracefoldError({
      code: "TF147",
      message: `the proof claims something of other runs at piece ${number}, which is no loop or has a claim already`,
      help: "The proof is not one of this program and run.",
    });
  }
}

/**
 * The obligations that prove what is claimed of every run like the recorded one, termination included: made from the program, the run and
 * the claims alone.
 */
export function runsObligations(
  symbols: Symbols,
  run: Run,
  target: Target,
  folds: readonly FoldClaim[],
  claim: RunsClaim,
  cancellation: Cancellation,
): readonly Obligation[] {
  // With names of their own: blocks that are written there may have other sizes on other runs.
  const loops = claim.roundByRound ? [] : folds.map((fold) => foldedLoopOf(symbols.again(), run, fold));
  const encoded = encodeRuns(symbols, run, loops, target, cancellation);
  return planObligations(symbols, encoded, runsPlanOf(symbols, encoded, claim))
    .filter(({ conclusion }) => !isTrue(conclusion))
    .map((obligation) => closeObligation(symbols, obligation));
}
