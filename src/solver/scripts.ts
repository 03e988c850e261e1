import { type Cancellation, cancelledAfter } from "../base/cancellation.ts";
import { floatLemmas } from "../logic/floatLemmas.ts";
import {
  functionSymbolsOf,
  printDeclaration,
  printFunctionSymbol,
  printShared,
  printSort,
} from "../logic/printSmtLib.ts";
import type { Term } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import type { Reply } from "./backend/backend.ts";
import { type BackendChoice, findBackends } from "./backend/backends.ts";

/** A complete script that asserts all formulas and checks once; assumptions are asserted too, marked as such. */
export function printScript(
  assertions: readonly Term[],
  assumptions: readonly Term[] = [],
  status = "unknown",
): string {
  const formulas = [...assertions, ...assumptions];
  const floats = floatLemmas(formulas);
  const { definitions, texts } = printShared([...formulas, ...(floats?.terms ?? [])]);
  const lines = ["(set-logic ALL)", `(set-info :status ${status})`];
  lines.push(...(floats?.declarations ?? []));
  for (const symbol of functionSymbolsOf(formulas)) lines.push(printFunctionSymbol(symbol));
  for (const variable of freeVariablesOf(formulas)) lines.push(printDeclaration(variable));
  for (const { name, term, text } of definitions) lines.push(`(define-fun ${name} () ${printSort(term.sort)} ${text})`);
  for (const lemma of floats?.lemmas(texts.slice(formulas.length)) ?? []) lines.push(`(assert ${lemma})`);
  for (const [i, text] of texts.slice(0, formulas.length).entries()) {
    if (i === assertions.length) lines.push("; assumptions");
    lines.push(`(assert ${text})`);
  }
  lines.push("(check-sat)", "(exit)", "");
  return lines.join("\n");
}

/** A complete SMT-LIB script, and its solver. */
export type RacedScript = { readonly backend: BackendChoice; readonly script: string };

export type RaceOptions = {
  readonly milliseconds: number;
  readonly cancellation: Cancellation;
  /** The memory limit of each. */
  readonly megabytes?: number | undefined;
  /** Ends the race; a rejected output leaves it to the others. */
  accepts(text: string, index: number): boolean;
};

export type RaceResult = { readonly winner: number | null; readonly outputs: readonly (string | null)[] };

export type Race = {
  look(): RaceResult | null;
  /** Waits for the result; nobody wins if the time runs out. */
  wait(): RaceResult;
  stop(): void;
};

/** Milliseconds between two looks while waiting. */
const lookMilliseconds = 15;

/** Runs scripts side by side, each in its own solver, until an answer is accepted. */
export function raceScripts(scripts: readonly RacedScript[], options: RaceOptions): Race {
  const { milliseconds, accepts } = options;
  const cancellation = cancelledAfter(milliseconds, options.cancellation);
  const limits = { resources: 0, milliseconds: Math.ceil(milliseconds) };
  const running = scripts.map(({ backend: choice, script }) => {
    const [backend] = findBackends(choice, { megabytes: options.megabytes });
    const connection = backend.open(limits, cancellation);
    const poll = connection.begin(`${backend.options}${backend.limitCommands?.(limits) ?? ""}${script}`);
    return { connection, poll };
  });
  const outputs: (string | null)[] = scripts.map(() => null);
  const ended = new Set<number>();
  let result: RaceResult | null = null;
  const stop = () => {
    for (const { connection } of running) connection.close();
  };
  const end = (winner: number | null): RaceResult => {
    result = { winner, outputs };
    stop();
    return result;
  };
  const look = (): RaceResult | null => {
    if (result !== null) return result;
    for (const [i, { poll }] of running.entries()) {
      const reply: Reply | null = ended.has(i) ? null : poll();
      if (reply === null) continue;
      ended.add(i);
      if (reply.kind === "lost") continue;
      outputs[i] = reply.text;
      if (accepts(reply.text, i)) return end(i);
    }
    return ended.size === running.length || cancellation.isCancelled() ? end(null) : null;
  };
  return {
    look,
    wait() {
      const clock = new Int32Array(new SharedArrayBuffer(4));
      for (;;) {
        const found = look();
        if (found !== null) return found;
        Atomics.wait(clock, 0, 0, lookMilliseconds);
      }
    },
    stop,
  };
}
