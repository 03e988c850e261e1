import { nth } from "../../base/checked.ts";
import type { Machine } from "../../interpreter/machine.ts";
import { StopReplay } from "../../interpreter/run.ts";
import { edgeAt, stepCursor } from "../../interpreter/stepCursor.ts";
import { replay, type Trace } from "../../interpreter/trace.ts";
import { printOperation } from "../../ir/printOperation.ts";
import type { Edge, Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { Type } from "../../ir/type.ts";
import { describeValue } from "./describeRun.ts";
import type { RunStep } from "./result.ts";

/**
 * Calls back for every step of a trace, in order, with the written value as text and as a number. One replay, nothing
 * is kept. `isWanted` receives step indices from 0; unwanted steps are cheap, and steps from `end` on are skipped.
 */
export function forEachStep(
  trace: Trace,
  visit: (step: RunStep, written: ScalarValue | undefined) => void,
  isWanted: (index: number) => boolean = () => true,
  end: number = trace.steps,
): void {
  const { program } = trace;
  const cursor = stepCursor(trace);
  let machine: Machine | null = null;
  let pending: Pending = { step: -1, texts: [], value: undefined };

  /** Advances to `step`; only the step before it can have written the pending value. */
  const advanceTo = (step: number) => {
    while (cursor.step + 1 < step && cursor.next()) {
      if (!isWanted(cursor.step)) continue;
      const edge = edgeAt(program, cursor);
      const { texts, value } = pending.step === cursor.step ? pending : nothingWritten;
      const step = {
        step: cursor.step + 1,
        depth: cursor.depth,
        function: nth(program.functions, cursor.function).name,
        text: printOperation(program, edge.operation),
        ...(texts.length > 0 ? { value: texts.join(", ") } : {}),
        location: edge.range,
      };
      visit(step, texts.length === 1 ? value : undefined);
    }
  };
  const wrote = (step: number, text: string, value: ScalarValue | undefined) => {
    if (step >= trace.steps) return;
    if (step >= end) throw new StopReplay();
    if (step !== pending.step) {
      advanceTo(step);
      pending = { step, texts: [], value };
    }
    pending.texts.push(text);
  };
  replay(
    trace,
    { record: false, writes: true, hooks: null },
    {
      begin(started) {
        machine = started;
      },
      writer: {
        register(step, _fn, edge, variable, value) {
          if (step < end && !isWanted(step)) return;
          const { name, type } = nth(program.variables, variable);
          const text = describeValue(program, machine!, type, value);
          // A call writes its arguments to the callee's parameters.
          if (edge === -1) wrote(step, `${name} = ${text}`, undefined);
          else wrote(step, text, value);
        },
        memory(step, fn, edge, _pointer, size, value) {
          if (step < end && !isWanted(step)) return;
          const type = value === undefined ? null : writtenType(program, nth(program.functions, fn).edges[edge]);
          wrote(step, type === null ? bytes(size) : describeValue(program, machine!, type, value), value);
        },
      },
    },
  );
  advanceTo(Math.min(end, trace.steps));
}

type Pending = { readonly step: number; readonly texts: string[]; readonly value: ScalarValue | undefined };

const nothingWritten: Pending = { step: -1, texts: [], value: undefined };

function writtenType(program: Program, edge: Edge | undefined): Type | null {
  const operation = edge?.operation;
  switch (operation?.kind) {
    case "store":
      return operation.type;
    case "assign":
    case "input":
    case "call":
    case "callLibrary":
      return operation.target === null ? null : nth(program.variables, operation.target).type;
    default:
      return null;
  }
}

function bytes(size: number): string {
  return `${size} byte${size === 1 ? "" : "s"}`;
}
