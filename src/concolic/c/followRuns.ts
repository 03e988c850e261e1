import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { Function, Program } from "../../ir/program.ts";
import { isScalar, printType, type Type } from "../../ir/type.ts";
import { type Declared, type FunctionRecord, type Subject, structResult } from "../summary.ts";
import { followRun } from "./followRun.ts";
import { type CFrame, declaredOf } from "./frame.ts";
import type { CSummary } from "./summary.ts";
import { structParameter } from "./value.ts";

export type FollowedRuns = {
  readonly functions: readonly FunctionRecord[];
  readonly calls: number;
  readonly steps: number;
  readonly agreed: number;
  readonly disagreed: number;
  readonly open: number;
  /** Runs that were not followed to their end. */
  readonly cutShort: number;
};

export type FollowRunsOptions = {
  /** Calls of one path that are kept; 0: all. */
  readonly keep: number;
  readonly maxSteps: number;
  readonly stop: () => boolean;
};

/**
 * Calls of a C program in recorded runs, each with terms over its entry state. The entry function is the test: it has no
 * record.
 */
export function followRuns(
  runs: readonly { readonly name: string; readonly trace: Trace }[],
  { keep, maxSteps, stop }: FollowRunsOptions,
): FollowedRuns {
  const records = new Map<Function, FunctionRecord>();
  const kept = new Map<string, number>();
  const totals = { calls: 0, steps: 0, agreed: 0, disagreed: 0, open: 0, cutShort: 0 };
  for (const { name, trace } of runs) {
    if (stop()) {
      totals.cutShort++;
      continue;
    }
    totals.steps += trace.steps;
    const ended = (frame: CFrame, summary: CSummary): void => {
      if (frame.caller === null) return;
      const record = recordOf(records, trace.program, frame.fn);
      totals.calls++;
      record.calls++;
      record.tests.add(name);
      const { checks } = summary.shown;
      for (const key of ["agreed", "disagreed", "open"] as const) totals[key] += checks[key];
      const path = pathOf(frame, summary);
      const count = (kept.get(path) ?? 0) + 1;
      kept.set(path, count);
      if (keep > 0 && count > keep) return;
      record.summaries.push(summary.shown);
      for (const [key, definition] of frame.definitions) record.definitions.set(key, definition);
    };
    if (!followRun(trace, { ended, stop, maxSteps })) totals.cutShort++;
  }
  const functions = [...records.values()].sort((a, b) => a.subject.offset - b.subject.offset);
  return { functions, ...totals };
}

/** Calls with the same conditions, results and writes say the same. */
function pathOf(frame: CFrame, { shown }: CSummary): string {
  const { conditions, outcome, writes } = shown;
  const result = outcome.kind === "return" ? outcome.result.key : outcome.error;
  const changes = writes.map(({ place, value }) => `${place.key}=${value.key}`);
  return [frame.fn.id, conditions.map(({ expr }) => expr.key).join("&"), result, ...changes].join("\n");
}

function recordOf(records: Map<Function, FunctionRecord>, program: Program, fn: Function): FunctionRecord {
  return remembered(records, fn, () => ({
    subject: subjectOf(program, fn),
    summaries: [],
    definitions: new Map(),
    calls: 0,
    tests: new Set(),
    lost: 0,
  }));
}

function subjectOf(program: Program, fn: Function): Subject {
  const { result } = fn.type;
  const declared = new Map<string, Declared>();
  const params = fn.parameters.map((id) => nth(program.variables, id));
  let returned: Type = result;
  const names: string[] = [];
  for (const param of params) {
    const whole = structParameter(param);
    const passed = whole !== null && param.type.kind === "pointer" ? param.type.to : param.type;
    const { name, key } = whole ?? { name: param.name, key: param.name };
    if (whole === structResult) returned = passed;
    else names.push(name);
    if (isScalar(param.type)) declared.set(key, declaredOf(param.type, printType(passed, name)));
  }
  if (returned.kind !== "void")
    declared.set("result", { kind: isScalar(returned) ? declaredOf(returned).kind : "ref", name: printType(returned) });
  return {
    language: "c",
    name: fn.name,
    path: fn.range.file,
    line: fn.range.line,
    offset: fn.range.line,
    kind: "function",
    className: null,
    static: false,
    async: false,
    exported: fn.name,
    params: names,
    isPositional: true,
    declared,
    leftOut: null,
    // Conditions of C know it themselves.
    otherWayThrows: () => false,
  };
}
