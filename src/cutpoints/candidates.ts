import { nth, present } from "../base/checked.ts";
import { absolute, gcd, greater, lesser, nullSpace } from "../logic/linear.ts";
import { isAtom, type Term, type Variable } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import type { ExitObligation } from "./generalize.ts";
import type { LoopSystem } from "./loopSystem.ts";

/**
 * Values of some integer terms (the observables) at visits of a loop header, from the recorded run. `rows[v][o]` is the
 * value of observable `o` at the v-th sampled visit; the first row is the visit where folding would begin.
 */
export type Samples = { readonly observables: readonly Term[]; readonly rows: readonly (readonly bigint[])[] };

/**
 * - `canonical`: what the paper's BIID derives from the state at the header, slackened.
 * - `simple`: bounds, signs and congruences of single observables, what is equal, and hints.
 * - `extended`: also relations between two observables, and linear equations.
 */
export type CandidateFamilies = "canonical" | "simple" | "extended";

export type CandidateOptions = {
  readonly families: CandidateFamilies;
  /** Formulas that something after the loop, or in its body, asks about and that held at every sampled visit. */
  readonly hints: readonly Term[];
  /** The observable that counts the rounds; null where they are not counted. */
  readonly counter: Term | null;
};

/** Pairs of observables are related only up to this many of them. */
const pairLimit = 28;
/** Linear equations are sought among at most this many observables. */
const equationLimit = 24;

/**
 * Candidates for a loop invariant (000 §II and §V; design §4): formulas that hold at every sampled visit. They are
 * only candidates: BIID keeps those that it proves. Ordered from what a person would rather read to what is a last
 * resort, so that weakening drops the last ones first.
 */
export function candidates(terms: Terms, samples: Samples, options: CandidateOptions): readonly Term[] {
  const found = new Set<Term>();
  const propose = (formula: Term) => {
    if (formula.kind !== "bool") found.add(formula);
  };
  const { observables, rows } = samples;
  const entry = rows[0];
  if (entry === undefined) return [];
  const columns = observables.map((_, o) => rows.map((row) => nth(row, o)));
  const { families, hints } = options;

  if (families !== "canonical") {
    for (const hint of hints) if (hint.kind === "le" || hint.kind === "not") propose(hint);
  }
  for (const [o, term] of observables.entries()) proposeForOne(terms, term, nth(columns, o), options, propose);
  if (families === "extended") proposePairs(terms, observables, columns, propose);
  if (families !== "canonical") for (const hint of hints) propose(hint);
  if (families !== "extended") proposeEqualPairs(terms, observables, columns, entry, options, propose);
  if (families === "extended") proposeEquations(terms, samples, columns, propose);
  if (families === "extended") proposeRates(terms, samples, columns, propose);
  if (families === "extended" && options.counter !== null) {
    proposeTurns(terms, samples, columns, options.counter, propose);
  }
  return [...found];
}

/** `v = c` of the header's state, slackened, and bounds and congruences that the run suggests. */
function proposeForOne(
  terms: Terms,
  term: Term,
  values: readonly bigint[],
  options: CandidateOptions,
  propose: (formula: Term) => void,
): void {
  const entry = nth(values, 0);
  const low = values.reduce(lesser);
  const high = values.reduce(greater);
  const constant = (value: bigint) => terms.int(value);
  if (options.families !== "canonical") {
    if (low >= 0n) propose(terms.ge(term, constant(0n)));
    if (high <= 0n) propose(terms.le(term, constant(0n)));
    if (low >= 1n) propose(terms.ge(term, constant(1n)));
    if (values.every((value) => value !== 0n)) propose(terms.ne(term, constant(0n)));
    propose(terms.ge(term, constant(low)));
    propose(terms.le(term, constant(high)));
  }
  propose(terms.ge(term, constant(entry)));
  propose(terms.le(term, constant(entry)));
  if (low === high) return propose(terms.eq(term, constant(entry)));
  if (options.families === "canonical") return;
  const divisor = values.reduce((common, value) => gcd(common, value - entry), 0n);
  if (divisor > 1n && divisor < 1n << 31n) {
    propose(terms.eq(terms.mod(terms.sub(term, constant(entry)), constant(divisor)), constant(0n)));
  }
}

function proposePairs(
  terms: Terms,
  observables: readonly Term[],
  columns: readonly (readonly bigint[])[],
  propose: (formula: Term) => void,
): void {
  const moving = columns.map((values) => values.some((value) => value !== values[0]));
  const count = observables.length;
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      // Two that stand still are related by their own equations.
      if (!moving[a] && !moving[b]) continue;
      if (count > pairLimit && !(moving[a] && moving[b])) continue;
      const differences = nth(columns, a).map((value, v) => value - nth(nth(columns, b), v));
      const difference = terms.sub(nth(observables, a), nth(observables, b));
      const low = differences.reduce(lesser);
      const high = differences.reduce(greater);
      if (low >= 0n) propose(terms.ge(difference, terms.int(0n)));
      if (high <= 0n) propose(terms.le(difference, terms.int(0n)));
      if (low > 0n) propose(terms.ge(difference, terms.int(1n)));
      if (high < 0n) propose(terms.le(difference, terms.int(-1n)));
      if (low === high) propose(terms.eq(difference, terms.int(low)));
      if (differences.every((value) => value !== 0n)) propose(terms.ne(difference, terms.int(0n)));
    }
  }
}

/** Observables with equal values at the header (canonical), or at every visit: relations between variables. */
function proposeEqualPairs(
  terms: Terms,
  observables: readonly Term[],
  columns: readonly (readonly bigint[])[],
  entry: readonly bigint[],
  options: CandidateOptions,
  propose: (formula: Term) => void,
): void {
  const groups = new Map<string, Term[]>();
  for (const [o, term] of observables.entries()) {
    const key = options.families === "canonical" ? `${entry[o]}` : nth(columns, o).join();
    const equal = groups.get(key);
    if (equal === undefined) groups.set(key, [term]);
    else equal.push(term);
  }
  for (const equal of groups.values()) {
    for (const [i, a] of equal.entries()) {
      for (const b of equal.slice(i + 1)) {
        propose(terms.eq(a, b));
        propose(terms.le(a, b));
        propose(terms.ge(a, b));
      }
    }
  }
}

/**
 * Linear equations of the samples, with a column of ones for the constant: between any two observables that move in
 * step, and the null space of the whole matrix where there are samples enough.
 */
function proposeEquations(
  terms: Terms,
  samples: Samples,
  columns: readonly (readonly bigint[])[],
  propose: (formula: Term) => void,
): void {
  const moving = samples.observables
    .map((term, o) => ({ term, values: nth(columns, o) }))
    .filter(({ term, values }) => term.kind !== "sum" && values.some((value) => value !== values[0]))
    .slice(0, equationLimit);
  const proposeFor = (chosen: typeof moving) => {
    const rows = samples.rows.map((_, v) => [1n, ...chosen.map(({ values }) => nth(values, v))]);
    for (const [constant, ...coefficients] of nullSpace(rows, chosen.length + 1)) {
      const sum = terms.linear(
        coefficients.map((coefficient, i) => ({ coefficient, term: nth(chosen, i).term })),
        constant!,
      );
      propose(terms.ge(sum, terms.int(0n)));
      propose(terms.le(sum, terms.int(0n)));
      propose(terms.eq(sum, terms.int(0n)));
    }
  };
  if (samples.rows.length < 3) return;
  for (const [i, a] of moving.entries()) for (const b of moving.slice(i + 1)) proposeFor([a, b]);
  if (moving.length > 2 && samples.rows.length >= moving.length + 2) proposeFor(moving);
}

/** Candidates for values that come back every few rounds: `head - #rounds` is a multiple of 8. */
function proposeTurns(
  terms: Terms,
  { observables }: Samples,
  columns: readonly (readonly bigint[])[],
  counter: Term,
  propose: (formula: Term) => void,
): void {
  const rounds = columns[observables.indexOf(counter)];
  if (rounds === undefined) return;
  for (const [o, term] of observables.entries()) {
    const values = nth(columns, o);
    if (term === counter || term.kind === "sum" || values.every((value) => value === values[0])) continue;
    for (const sign of [1n, -1n]) {
      const distances = values.map((value, v) => value - sign * nth(rounds, v));
      const divisor = distances.reduce((common, value) => gcd(common, value - nth(distances, 0)), 0n);
      if (divisor < 2n || divisor >= 1n << 31n) continue;
      const distance = terms.sub(terms.sub(term, terms.scale(sign, counter)), terms.int(nth(distances, 0)));
      propose(terms.eq(terms.mod(distance, terms.int(divisor)), terms.int(0n)));
    }
  }
}

/** Rates are sought with at least so many samples, between counters that grow at most so many times as fast. */
const rateSamples = 6;
const rateLimit = 8n;

/** A value that grows every few rounds stays near a multiple of one that grows in each: `0 <= 2 * even - i <= 1`. */
function proposeRates(
  terms: Terms,
  { observables, rows }: Samples,
  columns: readonly (readonly bigint[])[],
  propose: (formula: Term) => void,
): void {
  if (rows.length < rateSamples) return;
  const moving = observables
    .map((term, o) => ({
      term,
      values: nth(columns, o),
      growth: present(nth(columns, o).at(-1)) - nth(nth(columns, o), 0),
    }))
    .filter(({ term, growth }) => term.kind !== "sum" && growth !== 0n)
    .slice(0, equationLimit);
  for (const [i, a] of moving.entries()) {
    for (const b of moving.slice(i + 1)) {
      const closest = ratesNear(a.growth, b.growth)
        .map(([p, q]) => {
          const distances = a.values.map((value, v) => q * value - p * nth(b.values, v));
          return { p, q, low: distances.reduce(lesser), high: distances.reduce(greater) };
        })
        .filter(({ p, q, low, high }) => high - low <= absolute(p) + q)
        .sort((one, other) => Number(one.high - one.low - (other.high - other.low)))[0];
      if (closest === undefined || closest.low === closest.high) continue;
      const { p, q, low, high } = closest;
      const distance = terms.sub(terms.mul(terms.int(q), a.term), terms.mul(terms.int(p), b.term));
      propose(terms.ge(distance, terms.int(low)));
      propose(terms.le(distance, terms.int(high)));
    }
  }
}

function ratesNear(a: bigint, b: bigint): (readonly [bigint, bigint])[] {
  const rates: (readonly [bigint, bigint])[] = [];
  for (let q = 1n; q <= rateLimit; q++) {
    const near = (q * a) / b;
    for (const p of [near - 1n, near, near + 1n]) {
      const isSmall = p !== 0n && absolute(p) <= rateLimit && gcd(absolute(p), q) === 1n;
      if (isSmall && !(absolute(p) === 1n && q === 1n)) rates.push([p, q]);
    }
  }
  return rates;
}

/**
 * How far places are from what is needed after a loop: 0 for those in the conclusion, and one more for those that a
 * nearer one is computed from, or is tested together with. What is far away seldom belongs in the invariant.
 */
export function rankPlaces(system: LoopSystem, obligation: ExitObligation): ReadonlyMap<Variable, number> {
  const ranks = new Map<Variable, number>();
  const neighbours = neighboursIn(system, obligation);
  let front = freeVariablesOf([obligation.conclusion]);
  for (let rank = 0; front.length > 0; rank++) {
    for (const variable of front) ranks.set(variable, rank);
    const next = new Set<Variable>();
    for (const variable of front) {
      for (const other of neighbours.get(variable) ?? []) if (!ranks.has(other)) next.add(other);
    }
    front = [...next];
  }
  return ranks;
}

function neighboursIn(system: LoopSystem, obligation: ExitObligation): ReadonlyMap<Variable, ReadonlySet<Variable>> {
  const neighbours = new Map<Variable, Set<Variable>>();
  const connect = (from: Variable, others: Iterable<Variable>) => {
    const known = neighbours.get(from) ?? new Set();
    for (const other of others) known.add(other);
    neighbours.set(from, known);
  };
  const tests: Term[] = [...obligation.hypotheses];
  for (const block of system.blocks.values()) {
    tests.push(...block.definitions);
    for (const end of block.ends) {
      tests.push(end.guard);
      for (const [place, value] of end.state.values) connect(place, freeVariablesOf([value]));
    }
  }
  for (const atom of postOrder(tests)) {
    if (atom.sort !== "Bool" || !isAtom(atom) || atom.kind === "bool") continue;
    const variables = freeVariablesOf([atom]);
    for (const variable of variables) connect(variable, variables);
  }
  return neighbours;
}
