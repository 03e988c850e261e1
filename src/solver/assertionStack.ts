import { nth, present } from "../base/checked.ts";
import { Defect } from "../base/errors.ts";
import {
  functionSymbolsOf,
  printDeclaration,
  printFunctionSymbol,
  printShared,
  printSort,
} from "../logic/printSmtLib.ts";
import type { FunctionSymbol, Term, Variable } from "../logic/term.ts";
import { freeVariables } from "../logic/traverse.ts";
import type { CheckResult, Solver } from "./solver.ts";

export type AssertionStack = {
  push(): void;
  pop(levels: number): void;
  add(formulas: readonly Term[]): void;
  clear(): void;
  /** All assertions, outermost level first. */
  readonly all: readonly Term[];
};

function createAssertionStack(): AssertionStack {
  const all: Term[] = [];
  const starts: number[] = [];
  return {
    all,
    push() {
      starts.push(all.length);
    },
    pop(levels) {
      if (levels > starts.length) throw new Defect(`pop of ${levels} levels from ${starts.length}`);
      if (levels > 0) all.length = nth(starts.splice(-levels), 0);
    },
    clear() {
      all.length = 0;
      starts.length = 0;
    },
    add(formulas) {
      for (const formula of formulas) all.push(formula);
    },
  };
}

export type DecoratedCheck = [stack: AssertionStack, ...Required<Parameters<Solver["check"]>>];

/** Forwards to `inner`, tracks the assertions, and checks with `check`. `run` replaces the inner one's. */
export function decorateSolver(
  inner: Solver,
  check: (...args: DecoratedCheck) => CheckResult,
  overrides: Partial<Pick<Solver, "run" | "reset" | "dispose">> = {},
): Solver {
  const stack = createAssertionStack();
  return {
    get name() {
      return inner.name;
    },
    push() {
      stack.push();
      inner.push();
    },
    pop(levels = 1) {
      stack.pop(levels);
      inner.pop(levels);
    },
    assert(...formulas) {
      stack.add(formulas);
      inner.assert(...formulas);
    },
    check: (assumptions = [], options = {}) => check(stack, assumptions, options),
    run: overrides.run ?? ((script, limits) => inner.run(script, limits)),
    reset() {
      stack.clear();
      overrides.reset?.();
      inner.reset();
    },
    prepare: () => inner.prepare(),
    dispose() {
      overrides.dispose?.();
      inner.dispose();
    },
  };
}

export type AssertionFrame = { readonly assertions: Term[] };

/** What a solver process has been told, per level, and the names it knows. */
type Level = {
  readonly frame: AssertionFrame;
  sent: number;
  readonly variables: Variable[];
  readonly definitions: Term[];
  readonly symbols: FunctionSymbol[];
};

/** Mirrors a solver process's assertion stack. Declarations belong to the level that first needed them. */
export type RemoteStack = {
  /** Commands that make the process's stack equal to `frames`. */
  update(frames: readonly AssertionFrame[]): string;
  /** Declarations for terms that are not asserted (assumptions, values), and the terms' texts. */
  mention(terms: readonly Term[]): { readonly commands: string; readonly texts: readonly string[] };
  /** The text of a variable or of a term that `mention` or an assertion has printed. */
  readonly variables: Iterable<Variable>;
};

export function createRemoteStack(): RemoteStack {
  const levels: Level[] = [];
  const variables = new Set<Variable>();
  const names = new Map<Term, string>();
  let lastName = 0;
  const symbols = new Set<FunctionSymbol>();

  function declare(terms: readonly Term[], level: Level): { commands: string; texts: readonly string[] } {
    let commands = "";
    for (const symbol of functionSymbolsOf(terms)) {
      if (symbols.has(symbol)) continue;
      symbols.add(symbol);
      level.symbols.push(symbol);
      commands += printFunctionSymbol(symbol);
    }
    for (const term of terms)
      for (const variable of freeVariables(term)) {
        if (variables.has(variable)) continue;
        variables.add(variable);
        level.variables.push(variable);
        commands += printDeclaration(variable);
      }
    const { definitions, texts } = printShared(
      terms,
      (term) => names.get(term),
      () => `tf!${++lastName}`,
    );
    for (const { term, name, text } of definitions) {
      names.set(term, name);
      level.definitions.push(term);
      commands += `(define-fun ${name} () ${printSort(term.sort)} ${text})\n`;
    }
    return { commands, texts };
  }

  function forget(level: Level) {
    for (const variable of level.variables) variables.delete(variable);
    for (const term of level.definitions) names.delete(term);
    for (const symbol of level.symbols) symbols.delete(symbol);
  }

  return {
    variables,
    update(frames) {
      let common = 0;
      while (common < levels.length && nth(levels, common).frame === frames[common]) common++;
      let commands = "";
      if (common < levels.length) {
        commands += `(pop ${levels.length - common})`;
        for (const level of levels.splice(common)) forget(level);
      }
      for (let i = Math.max(0, common - 1); i < frames.length; i++) {
        const frame = nth(frames, i);
        let level = levels[i];
        if (level === undefined) {
          // The outermost level needs no push.
          if (i > 0) commands += "(push 1)\n";
          level = { frame, sent: 0, variables: [], definitions: [], symbols: [] };
          levels.push(level);
        }
        const open = frame.assertions.slice(level.sent);
        level.sent = frame.assertions.length;
        if (open.length === 0) continue;
        const { commands: declarations, texts } = declare(open, level);
        commands += declarations;
        for (const text of texts) commands += `(assert ${text})\n`;
      }
      return commands;
    },
    mention(terms) {
      return declare(terms, present(levels.at(-1)));
    },
  };
}
