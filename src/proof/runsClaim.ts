import { freeVariablesOf } from "../logic/freeVariables.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import type { Sort, Term } from "../logic/term.ts";
import type { RunsPlan } from "../model/everyRun/duties.ts";
import type { EncodedRuns, LoopPiece } from "../model/everyRun/encodedRuns.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { cutPointLabel, type Formulas, parseFormula, parseNumber } from "./claim.ts";

/**
 * What is claimed of every run like the recorded one: those whose inputs satisfy the condition end, do nothing undefined before, and
 * fail as it does, but for what is left open. Text, as in a `FoldClaim`; inputs are `input(1)`, `input(2)`, ….
 */
export type RunsClaim = {
  /** Of runs that go round as often as the recorded one: no loop is folded. */
  readonly roundByRound: boolean;
  readonly condition: readonly string[];
  /** For the folded loops that these runs go through, by the number of the piece of the run: see `encodeRuns`. */
  readonly loops: readonly LoopClaim[];
  /** What is left open, by keys: see `OpenPoint`. */
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
  return (key) => cutPointLabel(symbols, system.blocks.get(key)!.start);
}

/** The claim over the names of another encoding of the same runs. */
export function runsPlanOf(symbols: Symbols, { pieces }: EncodedRuns, claim: RunsClaim): RunsPlan {
  const source: Formulas = { sorts: claim.sorts };
  const loops = new Map<number, RunsPlan["loops"] extends ReadonlyMap<number, infer Plan> ? Plan : never>();
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind !== "loop") continue;
    const own = claim.loops.find((loop) => loop.piece === i);
    const label = labelIn(symbols, piece);
    const keys = [...piece.system.blocks.keys()];
    loops.set(i, {
      annotation: new Map(
        keys.map((key) => {
          const claimed = own?.invariants.find(({ at }) => at === label(key))?.formulas ?? [];
          return [key, claimed.map((text) => parseFormula(symbols, source, text))];
        }),
      ),
      ranks: (own?.ranks ?? []).map(
        (rank) =>
          new Map(
            keys.flatMap((key) => {
              const claimed = rank.find(({ at }) => at === label(key));
              return claimed === undefined ? [] : [[key, parseNumber(symbols, source, claimed.term)] as const];
            }),
          ),
      ),
    });
  }
  return {
    roundByRound: claim.roundByRound,
    condition: claim.condition.map((text) => parseFormula(symbols, source, text)),
    loops,
    open: new Set(claim.open),
  };
}
