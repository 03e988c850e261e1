import type { CbmcLocation, CbmcStep, CbmcValue } from "./cbmcTrace.ts";

/** A nondeterministic read on CBMC's trace. */
export type CbmcInput = {
  /** The function that returned it, or the variable that got it. */
  readonly name: string;
  readonly value: CbmcValue;
  readonly location: CbmcLocation | null;
};

export type InputSite = { readonly file: string; readonly line: number };

export type InputCollector = {
  step(step: CbmcStep): void;
  /** All inputs so far, in order. */
  inputs(): readonly CbmcInput[];
};

/**
 * Finds the nondeterministic reads of a trace. CBMC does not mark them; it has two forms for the call of a function
 * without a body:
 *
 *   int r = nondet() + 1;   an assignment to `return_value_nondet`, then one to `r`
 *   r = nondet();           an assignment to `r` and nothing else
 *
 * The first form is known by its name, unless the function was entered on the trace, and so has a body. The second
 * looks like any assignment: it counts only on a line of which `sites` says that it reads an input.
 */
export function collectInputs(sites: readonly InputSite[]): InputCollector {
  const found: CbmcInput[] = [];
  const entered = new Set<string>();
  const sitesOfLine = new Map<string, number>();
  for (const site of sites) {
    const key = lineKey(site);
    sitesOfLine.set(key, (sitesOfLine.get(key) ?? 0) + 1);
  }
  /** The line being visited, how many of its reads are still to come, and its assignments since the last call. */
  let visit = { line: "", awaited: 0 };
  let assigned: CbmcInput[] = [];
  let returned = 0;
  /** The visits that calls interrupted. */
  const callers: (typeof visit)[] = [];
  /** The next assignment takes the result of a call. */
  let receiving = false;

  return {
    step(step) {
      switch (step.kind) {
        case "call":
          enterLine(step);
          endSegment();
          entered.add(step.function);
          callers.push(visit);
          visit = { line: "", awaited: 0 };
          return;
        case "return":
          endSegment();
          visit = callers.pop() ?? { line: "", awaited: 0 };
          receiving = true;
          return;
        default:
          enterLine(step);
          if (step.kind === "assignment" && step.role === "variable") takeAssignment(step);
      }
    },
    inputs() {
      endSegment();
      return found;
    },
  };

  function enterLine(step: CbmcStep): void {
    const line = step.location === null ? "" : lineKey(step.location);
    if (line === visit.line && step.kind !== "loop-head") return;
    endSegment();
    visit = { line, awaited: sitesOfLine.get(line) ?? 0 };
  }

  function takeAssignment({ target, value, location }: CbmcStep & { kind: "assignment" }): void {
    const name = returnedFrom(target);
    const receives = receiving;
    receiving = false;
    if (name !== null) {
      if (entered.has(name)) return;
      found.push({ name, value, location });
      returned++;
      visit.awaited--;
    } else if (!receives && !target.startsWith("goto_symex$$")) assigned.push({ name: target, value, location });
  }

  /** Assignments count as reads only where nothing on the line returned a value by name. */
  function endSegment(): void {
    if (returned === 0 && visit.awaited > 0 && assigned.length > 0) {
      const reads = assigned.slice(0, visit.awaited);
      found.push(...reads);
      visit.awaited -= reads.length;
    }
    assigned = [];
    returned = 0;
    receiving = false;
  }
}

/** `f` for `return_value_f`, `return_value_f$1` and `main::$tmp::return_value_f`. */
function returnedFrom(target: string): string | null {
  return /(?:^|[:.$])return_value_(.+?)(?:\$\d+)?$/.exec(target)?.[1] ?? null;
}

function lineKey({ file, line }: InputSite): string {
  return `${file.slice(file.lastIndexOf("/") + 1)}:${line}`;
}
