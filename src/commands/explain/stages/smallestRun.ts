import type { AbstractErrorTrace } from "../../../analyses/errorInvariants/abstractErrorTrace.ts";
import { type ConditionOnInputs, coveredInputs } from "../../../analyses/inputCondition/inputCondition.ts";
import type { Cancellation } from "../../../base/cancellation.ts";
import { recordTrace, type Trace } from "../../../interpreter/trace.ts";
import { type ByteCondition, byteConditions } from "../../../search/byteConditions.ts";
import {
  isConfirmed,
  quickShrink,
  quickTextShrink,
  runOptionsOf,
  type SmallestRun,
  type SmallestText,
  shrinkRun,
  shrinkText,
} from "../../../search/shrink.ts";
import type { LogicWork } from "../proveExplanation.ts";
import type { InputText } from "../result.ts";
import type { Abstracted } from "./folding.ts";
import type { Stage } from "./stage.ts";

export type ConfirmedRun = SmallestRun & { readonly confirmed: boolean };

type Given = LogicWork &
  Abstracted & {
    readonly condition: ConditionOnInputs;
    /** Explains another run of the same program; null if there is no explanation. */
    readonly explainOther: (trace: Trace) => AbstractErrorTrace | null;
  };

export const reproducer: Stage<Given, { readonly reproducer: ConfirmedRun | null }> = {
  name: "reproducer",
  make(given) {
    if (!(given.options.shrink ?? true)) return { reproducer: null };
    given.options.progress?.("shrinking");
    const smallest = smallestCovered(given);
    return { reproducer: { ...smallest, confirmed: isConfirmed(given.trace, smallest) } };
  },
  problems: ({ reproducer: found }) =>
    found === null || found.confirmed ? [] : [`the run with inputs ${found.inputs.join(", ")} does not fail like this`],
  print: ({ reproducer: found }) =>
    found === null ? "none\n" : `inputs ${found.inputs.join(", ") || "none"}: ${found.steps} steps\n`,
};

/**
 * The smallest run with the same failure and the same cause: its inputs satisfy the condition, or its explanation has
 * the same statements. That check is only worth its time if the run is much smaller.
 */
function smallestCovered({ trace, condition, abstraction, cancellation, explainOther }: Given): SmallestRun {
  const limits = { ...quickShrink, cancellation };
  const covers = coveredInputs(trace.inputs, condition);
  const covered = shrinkRun(trace, { ...limits, covers });
  const smallest = shrinkRun(trace, limits);
  if (abstraction === null || 2 * smallest.steps > covered.steps || cancellation.isCancelled()) return covered;
  const other = explainOther(recordTrace(trace.program, { ...runOptionsOf(trace), inputs: smallest.inputs }));
  return other !== null && statementsOf(other) === statementsOf(abstraction) ? smallest : covered;
}

/** A key for the statements and loops that an explanation names. */
function statementsOf({ relevant }: AbstractErrorTrace): string {
  const names = relevant.map(({ origin }) => {
    if (origin.kind === "initial") return origin.place.name;
    if (origin.kind === "fold") return `${origin.function.id}:loop ${origin.fold.activation.loop.header}`;
    return `${origin.function.id}:${origin.edge.id}`;
  });
  return [...new Set(names)].sort().join();
}

type GivenText = {
  readonly trace: Trace;
  readonly options: { readonly shrink?: boolean; readonly cancellation?: Cancellation };
};

export type TextOfRun = SmallestText & { readonly bytes: readonly ByteCondition[] };

/** The smallest standard input and arguments with the same failure. */
export const smallestText: Stage<GivenText, { readonly text: TextOfRun | null }> = {
  name: "text",
  make({ trace, options: { shrink = true, cancellation } }) {
    // A run with other inputs has its own smallest run.
    if (!shrink || trace.inputs.length > 0 || trace.program.watched !== undefined) return { text: null };
    const text = shrinkText(trace, { ...quickTextShrink, ...(cancellation === undefined ? {} : { cancellation }) });
    // The byte conditions are about the text that is shown.
    return { text: text === null ? null : { ...text, bytes: byteConditions(trace, text, cancellation) } };
  },
  problems: ({ trace, text }) =>
    text !== null && text.stdin.length > trace.settings.stdin.length ? ["the smallest text is longer"] : [],
  print: ({ text }) =>
    text === null ? "none\n" : `${JSON.stringify(Buffer.from(text.stdin).toString())} ${JSON.stringify(text.args)}\n`,
};

export function describeText({ stdin, args }: Pick<SmallestText, "stdin" | "args">): InputText {
  const text = Buffer.from(stdin).toString("utf8");
  const isExact = Buffer.from(text, "utf8").equals(stdin);
  return {
    stdin: text,
    ...(isExact ? {} : { stdinBase64: Buffer.from(stdin).toString("base64") }),
    ...(args.length === 0 ? {} : { arguments: args }),
  };
}
