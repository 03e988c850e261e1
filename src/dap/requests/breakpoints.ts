import type { DebugProtocol as P } from "@vscode/debugprotocol";
import { TracefoldError } from "../../base/errors.ts";
import { type Breakpoint, readHitCondition, type Trigger } from "../breakpoints.ts";
import { readCondition } from "../condition.ts";
import type { Handlers } from "../connection.ts";
import type { SessionState } from "../state.ts";

type Wanted = { readonly condition?: string; readonly hitCondition?: string; readonly logMessage?: string };
type SetBreakpoint = { readonly breakpoint: Breakpoint | null; readonly shown: P.Breakpoint };

export function breakpointRequests(state: SessionState): Handlers {
  /** Replaces all breakpoints of a source, of functions or of data. */
  const replace = (key: string, set: readonly SetBreakpoint[]) => {
    state.breakpoints.set(
      key,
      set.flatMap(({ breakpoint }) => breakpoint ?? []),
    );
    return { breakpoints: set.map(({ shown }) => shown) };
  };
  return {
    setBreakpoints({ source, breakpoints = [] }: P.SetBreakpointsArguments) {
      const file = state.fileOf(source);
      const set = breakpoints.map((wanted) => {
        const found = file === -1 ? null : statementsFrom(state, file, state.fromClientLine(wanted.line));
        if (found === null) {
          const where = file === -1 ? "of this file" : "on this line or below it";
          return newBreakpoint(state, wanted, `this run has no statement ${where}`);
        }
        const { breakpoint, shown } = newBreakpoint(state, wanted, {
          kind: "statements",
          statements: found.statements,
        });
        return { breakpoint, shown: { ...shown, line: state.toClientLine(found.line) } };
      });
      return replace(`source ${source.path ?? source.name}`, set);
    },

    setFunctionBreakpoints({ breakpoints }: P.SetFunctionBreakpointsArguments) {
      const { functions } = state.debug.run.timeline.open.recording;
      const set = breakpoints.map((wanted) => {
        const index = functions.indexOf(wanted.name);
        const trigger: Trigger = { kind: "function", function: index };
        return newBreakpoint(state, wanted, index === -1 ? `this run has no function ${wanted.name}` : trigger);
      });
      return replace("functions", set);
    },

    dataBreakpointInfo({ name, variablesReference = 0, frameId }: P.DataBreakpointInfoArguments) {
      const part = state.listed(variablesReference).find(({ label }) => label === name);
      const whole = part?.name ?? name;
      const cell = cellNamed(state, whole.replaceAll(/\s+/g, ""), frameId);
      if (cell === null) return { dataId: null, description: `no write of ${whole} is recorded` };
      return { dataId: `${cell}`, description: whole, accessTypes: ["write"], canPersist: false };
    },

    setDataBreakpoints({ breakpoints }: P.SetDataBreakpointsArguments) {
      const { cells } = state.debug.run.timeline.open.recording;
      const set = breakpoints.map((wanted) => {
        const cell = Number(wanted.dataId);
        const isKnown = cell > 0 && cell < cells.length;
        return newBreakpoint(state, wanted, isKnown ? { kind: "cell", cell } : "this run has no such variable");
      });
      return replace("data", set);
    },

    /** The run always stops before its failure. */
    setExceptionBreakpoints: () => ({ breakpoints: [] }),
  };
}

/** A breakpoint that cannot stop is told as such, with the reason. */
function newBreakpoint(
  state: SessionState,
  { condition, hitCondition, logMessage }: Wanted,
  trigger: Trigger | string,
): SetBreakpoint {
  const id = state.nextBreakpoint++;
  const refused = (message: string) => ({ breakpoint: null, shown: { id, verified: false, message } });
  if (typeof trigger === "string") return refused(trigger);
  const hits = isGiven(hitCondition) ? readHitCondition(hitCondition) : null;
  if (isGiven(hitCondition) && hits === null) return refused(`"${hitCondition}" counts nothing: give 5, >= 3 or % 4`);
  try {
    const read = isGiven(condition) ? readCondition(condition) : null;
    const log = isGiven(logMessage) ? logMessage : null;
    return { breakpoint: { id, trigger, condition: read, hits, log }, shown: { id, verified: true } };
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return refused(error.message);
  }
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}

/** The statements on the first line from a line on that has any, as other debuggers do it. */
function statementsFrom({ debug }: SessionState, file: number, line: number) {
  const { statements } = debug.run.timeline.open.recording;
  const own = statements.flatMap((each, i) => (each.file === file && each.at[0] >= line ? [i] : []));
  if (own.length === 0) return null;
  const first = Math.min(...own.map((i) => statements[i]?.at[0] ?? line));
  return { line: first, statements: own.filter((i) => statements[i]?.at[0] === first) };
}

/** The cell that a name stands for now; of a variable that has no value yet, the one that it will have. */
function cellNamed(state: SessionState, name: string, frameId?: number): number | null {
  const { names, run, position } = state.debug;
  const { open, valuesAfter } = run.timeline;
  const activation = state.activationOf(frameId);
  return names.cellOf(name, activation, valuesAfter(position())) ?? names.cellOf(name, activation, open.length - 1);
}
