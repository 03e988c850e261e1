import { budgetOf, type Cancellation, neverCancelled } from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { unlessRefused } from "../base/errors.ts";
import {
  type InputRequest,
  type InputSource,
  type InputValue,
  mulberry32,
  randomInputs,
} from "../interpreter/inputs.ts";
import type { RecordedInput } from "../interpreter/machine.ts";
import type { Outcome } from "../interpreter/outcome.ts";
import { createWarmRuns } from "../interpreter/rerun/rerun.ts";
import type { Trace } from "../interpreter/trace.ts";
import { rangeOfInt } from "../ir/type.ts";
import { runOptionsOf, sameFailure } from "./shrink.ts";

/** A claim about all runs with covered inputs: they fail like the recorded one. */
export type FailureClaim = {
  covers(inputs: readonly RecordedInput[], stdin: Uint8Array): boolean;
  /** At most this many bytes of standard input, from the first on, are varied. */
  readonly bytes?: number;
  /** Numbers that it mentions: its ends are where it is most likely wrong. */
  readonly numbers: readonly bigint[];
  /** Ends that the claim leaves open. */
  isOpen(outcome: Outcome): boolean;
};

export type Counterexample = { readonly inputs: readonly InputValue[]; readonly outcome: Outcome };

export type CounterexampleOptions = {
  readonly runs: number;
  readonly seed: number;
  readonly cancellation?: Cancellation;
};

export const quickCounterexample: CounterexampleOptions = { runs: 300, seed: 1 };

/** A run is waited for up to so many times the recorded one's steps, and so many more; all of them together for a count, too. */
const patience = { times: 50, more: 200_000, together: 6_000_000 } as const;

/** Bytes for the objects of a run: one that asks for more takes longer than it is worth. */
const memoryOfRun = 2 ** 25;

/**
 * Tries the claim on other inputs: the recorded ones with some values replaced by ends of types, by what the claim mentions and
 * its neighbours, and by random ones. Finding nothing proves nothing; what is found refutes the claim.
 */
export function findCounterexample(
  trace: Trace,
  claim: FailureClaim,
  options: CounterexampleOptions = quickCounterexample,
): Counterexample | null {
  const next = mulberry32(options.seed);
  const recorded = trace.inputs.map(({ value }) => value);
  const settings = { ...runOptionsOf(trace), maxMemory: Math.min(trace.settings.maxMemory, memoryOfRun) };
  const warm = createWarmRuns(trace.program, settings);
  const { cancellation = neverCancelled } = options;
  const steps = budgetOf(patience.together + patience.times * trace.steps, cancellation);
  const maxSteps = patience.times * trace.steps + patience.more;
  for (let run = 0; run < options.runs && !steps.isCancelled(); run++) {
    const inputs = changed(recorded, claim.numbers, next);
    const stdin = changedBytes(trace.settings.stdin, claim, next);
    const result = unlessRefused(() => warm.run({ ...settings, inputs, stdin, maxSteps, cancellation }));
    if (result === null) continue;
    steps.spend(result.steps);
    if (!claim.covers(result.inputs, stdin)) continue;
    // A run that was not waited for may still fail as it should.
    if (result.outcome.kind === "limit" || sameFailure(trace.outcome, result.outcome)) continue;
    if (claim.isOpen(result.outcome)) continue;
    return { inputs: result.inputs.map(({ value }) => value), outcome: result.outcome };
  }
  return null;
}

/** One value or several are replaced; behind the recorded ones come random ones. */
function changed(recorded: readonly InputValue[], numbers: readonly bigint[], next: () => number): InputSource {
  const share = nth([1 / Math.max(1, recorded.length), 0.3, 1], Math.floor(next() * 3));
  const isChanged = recorded.map(() => next() < share);
  const random = randomInputs(Math.floor(next() * 2 ** 32));
  return (request) => {
    const value = recorded[request.index];
    if (value !== undefined && !isChanged[request.index]) return value;
    return next() < 0.6 ? chosen(request, value, numbers, next) : random(request);
  };
}

/** Some of the bytes that may be others, by what the claim mentions, its neighbours, and any. */
function changedBytes(recorded: Uint8Array, { bytes = 0, numbers }: FailureClaim, next: () => number): Uint8Array {
  if (bytes === 0) return recorded;
  const share = nth([1 / bytes, 0.3, 1], Math.floor(next() * 3));
  const named = numbers.flatMap((number) => [number - 1n, number, number + 1n]).filter((n) => n >= 0n && n <= 255n);
  return recorded.map((byte, i) => {
    if (i >= bytes || next() >= share) return byte;
    if (next() < 0.5 || named.length === 0) return Math.floor(next() * 256);
    return Number(nth(named, Math.floor(next() * named.length)));
  });
}

function chosen(
  request: InputRequest,
  recorded: InputValue | undefined,
  numbers: readonly bigint[],
  next: () => number,
): InputValue | null {
  const { type, within } = request;
  if (type.kind === "float" || type.kind === "pointer") return recorded ?? (type.kind === "float" ? 0 : 0n);
  const [low, high] = within ?? rangeOfInt(type);
  const near = typeof recorded === "bigint" ? [recorded - 1n, recorded + 1n, 2n * recorded] : [];
  const around = numbers.flatMap((number) => [number - 1n, number, number + 1n, -number]);
  const candidates = [low, low + 1n, high, high - 1n, high / 2n, 0n, 1n, -1n, ...near, ...around].filter(
    (value) => value >= low && value <= high,
  );
  return nth(candidates, Math.floor(next() * candidates.length));
}
