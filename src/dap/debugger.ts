import { type NameTable, nameTableOf } from "../recording/names.ts";
import { namedValue } from "../render/recordingText.ts";
import { type Breakpoint, nextHit } from "./breakpoints.ts";
import type { Lookup } from "./condition.ts";
import type { RecordedFailure } from "./launch.ts";
import type { Motion } from "./timeline.ts";

/** Why the debugger stands where it stands. */
export type Stop = {
  readonly reason: "entry" | "step" | "breakpoint" | "data breakpoint" | "exception" | "goto";
  /** Shown beside the reason: `i = 3 is written`. */
  readonly text: string | null;
  readonly breakpoints: readonly number[];
};

/** A recorded run with a current position that moves in both directions. */
export type Debugger = {
  readonly run: RecordedFailure;
  readonly names: NameTable;
  readonly position: () => number;
  move(motion: Motion): Stop;
  /** To the next breakpoint in a direction, else to the failure or to the start. */
  continue(by: 1 | -1, breakpoints: readonly Breakpoint[], print: (text: string) => void): Stop;
  goTo(position: number): Stop;
  /** Values of names before a position, in a call: by default that of the position. */
  lookupAt(position: number, activation?: number): Lookup;
};

export function createDebugger(run: RecordedFailure): Debugger {
  const { timeline } = run;
  const { open, stepOf, valuesAfter, activationOf, failure } = timeline;
  const names = nameTableOf(open);
  let position = failure;

  const lookupAt = (at: number, activation = activationOf(at)): Lookup => {
    const upTo = valuesAfter(at);
    return (name) => names.valueOf(name, activation, upTo)?.value ?? null;
  };
  const stand = (at: number, stop: Stop): Stop => {
    position = at;
    return stop;
  };
  const failed = (): Stop =>
    stand(failure, { reason: "exception", text: run.explanation.failure.message, breakpoints: [] });

  return {
    run,
    names,
    position: () => position,
    lookupAt,
    goTo: (at) => stand(at, { reason: "goto", text: null, breakpoints: [] }),
    move(motion) {
      const next = timeline.move(position, motion);
      if (next === failure) return failed();
      return stand(next, { reason: next === 0 ? "entry" : "step", text: null, breakpoints: [] });
    },
    continue(by, breakpoints, print) {
      const pursuit = {
        timeline,
        breakpoints,
        lookupAt,
        print: ({ log }: Breakpoint, at: number) => print(filled(log ?? "", lookupAt(at))),
      };
      const hit = nextHit(pursuit, position, by);
      if (hit === null || (by === 1 && hit.position > failure && position < failure)) {
        if (by === 1) return failed();
        return stand(0, { reason: "entry", text: null, breakpoints: [] });
      }
      const cells = hit.breakpoints.flatMap(({ trigger }) => (trigger.kind === "cell" ? [trigger.cell] : []));
      return stand(hit.position, {
        reason: cells.length > 0 ? "data breakpoint" : "breakpoint",
        text: cells.length > 0 ? cells.map((cell) => writtenText(cell, hit.position)).join(", ") : null,
        breakpoints: hit.breakpoints.map(({ id }) => id),
      });
    },
  };

  function writtenText(cell: number, at: number): string {
    const step = open.writesOf(cell).findLast((each) => timeline.positionOf(each) === at) ?? stepOf(at);
    const value = open.recording.values[open.writtenInto(cell, step)] ?? "";
    const name = open.recording.cells[cell] ?? "";
    return value === "" ? `${name} is written` : `${namedValue({ name, value })} is written`;
  }
}

/** `{i}` is replaced by the value of i. */
function filled(log: string, lookup: Lookup): string {
  return log.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => lookup(name.replaceAll(/\s+/g, "")) ?? "?");
}
