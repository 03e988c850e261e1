import { quarantine } from "../interpreter/memory/memory.ts";
import { stepCursor } from "../interpreter/stepCursor.ts";
import type { Trace } from "../interpreter/trace.ts";
import { evaluate, evaluateAll } from "../logic/evaluate.ts";
import { type LibraryFacts, objectAt, placeAt, replayLibrary } from "./libraryFacts.ts";
import type { Run, RunEvent } from "./run.ts";
import { eventOf } from "./runEvent.ts";
import { sampleRun, withStateAt } from "./sampleRun.ts";
import { findActivations, stepsBetween } from "./steps.ts";

const cache = new WeakMap<Trace, Run>();

/** A trace of the interpreter as a run. What takes a replay is looked up when first asked for, and kept. */
export function runOf(trace: Trace): Run {
  let run = cache.get(trace);
  if (run === undefined) {
    run = makeRun(trace);
    cache.set(trace, run);
  }
  return run;
}

function makeRun(trace: Trace): Run {
  let known: LibraryFacts | null = null;
  const library = () => {
    known ??= replayLibrary(trace);
    return known;
  };
  let event: RunEvent | null | undefined;
  const run: Run = {
    program: trace.program,
    steps: trace.steps,
    outcome: trace.outcome,
    inputs: trace.inputs,
    undefinedBehaviour: trace.settings.undefinedBehaviour,
    argumentCount: trace.settings.args.length + 1,
    between: (from, to) => stepsBetween(trace, from, to),
    walk: () => stepCursor(trace),
    activations: (query) => findActivations(trace, query),
    sample: (symbols, points, until) => sampleRun(symbols, trace, points, until),
    valuesAt: (symbols, at, use) => withStateAt(symbols, trace, at, use),
    objectsAt(symbols, at, addresses) {
      const found = withStateAt(symbols, trace, at, (assignment, state) => {
        // Numbers of blocks are given again only after many have died.
        const reused = state.memory.deadCount >= quarantine;
        const blockUse = (number: number) => (reused ? library().blockUse(number, at.step) : 0);
        return evaluateAll(addresses, assignment).map((value) =>
          typeof value === "bigint" ? objectAt(symbols, state, at.stack, value, blockUse) : null,
        );
      });
      return found ?? addresses.map(() => null);
    },
    placeAt: (symbols, at, address) =>
      withStateAt(symbols, trace, at, (assignment, state) => {
        const value = evaluate(address, assignment);
        return typeof value === "bigint" && value !== 0n ? placeAt(state, Number(value)) : null;
      }),
    libraryCall: (step) => library().calls.get(step),
    event() {
      if (event === undefined) event = eventOf(run);
      return event;
    },
  };
  return run;
}
