import { neverCancelled } from "../../../base/cancellation.ts";
import { TracefoldError } from "../../../base/errors.ts";
import type { LoggedCall } from "../../../js/recorder/readLog.ts";
import type { RecordedFunction } from "../../../js/replay/recordedFile.ts";
import { withoutProof } from "../joinExplanation.ts";
import { type ExplainFoundRunOptions, explainFoundRun } from "../pipeline.ts";
import type { Explanation } from "../result.ts";
import { type LoweredTest, lowerTest } from "./lowerTest.ts";
import { observedSlice } from "./observedSlice.ts";
import { type RecordedTest, recordTest } from "./recordFailingTest.ts";

export type ExplainedTest = {
  readonly explanation: Explanation;
  readonly sources: ReadonlyMap<string, string>;
};

/** Explains a failing test: records it under its runner, lowers it to a program, and explains that. */
export async function explainTest(
  name: string,
  command: readonly string[],
  options: ExplainFoundRunOptions,
): Promise<ExplainedTest> {
  options.progress?.("recording");
  const recorded = await recordTest(name, command, options.cancellation ?? neverCancelled);
  const sources = new Map(recorded.files.map(({ path, text }) => [path, text]));
  const lowered = lowerTest(recorded.files, recorded.calls);
  const explanation = lowered !== null && hasFailed(lowered) ? explainLowered(recorded, lowered, options) : null;
  if (explanation !== null) return { explanation, sources };
  const slice = observedSlice(recorded, options.about(), notModelled);
  if (slice === null) throw notFollowed(recorded);
  return { explanation: slice, sources };
}

const notModelled =
  "the program model does not reach the failure: what is shown is what the recording has, linked by names";

/** Null if the model fails for a reason that it cannot explain. */
function explainLowered(
  recorded: RecordedTest,
  lowered: LoweredTest,
  options: ExplainFoundRunOptions,
): Explanation | null {
  const found = { trace: lowered.trace, notes: notesOf(recorded, lowered) };
  try {
    const explanation = explainFoundRun(found, { ...options, shrink: false });
    if (explanation.kind === "notExplained" || explanation.kind === "doesNotFail") return null;
    return withoutInputs(lowered.isFaithful ? explanation : observedOnly(explanation));
  } catch (error) {
    // The failure depends on no condition of the model.
    if (error instanceof TracefoldError && error.code === "TF145") return null;
    throw error;
  }
}

function hasFailed({ trace }: LoweredTest): boolean {
  return trace.outcome.kind === "assertion" || trace.outcome.kind === "error-location";
}

/** Values from the log are no inputs that a user could type. */
function withoutInputs<T extends Explanation>(explanation: T): T {
  const bare = { ...explanation, inputs: [] };
  return "inputCondition" in bare ? { ...bare, inputCondition: null, reproducer: null } : bare;
}

function notesOf(recorded: RecordedTest, lowered: LoweredTest): readonly string[] {
  const { comparison, trace } = lowered;
  const taken = trace.inputs.length;
  return [
    `the test ran under vitest; ${comparison.values} of its values and ${comparison.decisions} of its decisions were computed again from its source and are the same`,
    ...(taken === 0
      ? []
      : [
          `${taken} ${taken === 1 ? "value was" : "values were"} taken from the recording: what is said of them is observed`,
        ]),
    ...leftOutNotes(recorded, lowered),
    ...(recorded.cutOff ? ["the recording was cut off"] : []),
    "numbers that were always whole count as integers",
  ];
}

function notFollowed({ name, message }: RecordedTest): TracefoldError {
  return new TracefoldError({
    code: "TF262",
    message: `the test "${name}" fails (${message.split("\n", 1)[0]}), and its recording has nothing of the failure`,
    help: "A smaller test of the same thing may be easier to follow.",
  });
}

const otherRun = "from one point on the program model does something else than the test did";

/**
 * If the model differs from the recorded test, its proofs are about another program: keep the observations and drop the
 * proofs.
 */
export function observedOnly<T extends Explanation>(explanation: T): T {
  if (explanation.kind !== "explained") return explanation;
  const nodes = explanation.graph.nodes.map((node) => ({ ...node, evidence: "observed" as const }));
  return {
    ...explanation,
    graph: { ...explanation.graph, nodes },
    ...withoutProof,
    inputCondition: explanation.inputCondition,
    reproducer: explanation.reproducer,
    missing: [{ kind: "recording", reason: otherRun }],
  };
}

/** Names the parts of the run that the model does not follow; their values come from the recording. */
export function leftOutNotes({ files, calls, message }: RecordedTest, { lowered }: LoweredTest): readonly string[] {
  const { ran, lost } = lowered.model.evidence;
  const called = functionsOf(calls, new Map(files.map((file) => [file.number, file.functions])));
  const generators = [...called].filter((fn) => fn.node.generator && !ran.has(fn));
  return [
    ...named(generators, "generators are not followed"),
    ...named([...lost], "these were followed only as far as the recording is clear"),
    // The recorder's wrappers make stack frames larger.
    ...(message.includes("Maximum call stack size exceeded")
      ? ["frames of a recorded run are larger: without the recorder the same run may go deeper"]
      : []),
  ];
}

function functionsOf(
  calls: readonly LoggedCall[],
  files: ReadonlyMap<number, ReadonlyMap<number, RecordedFunction>>,
): ReadonlySet<RecordedFunction> {
  const found = new Set<RecordedFunction>();
  const waiting = [...calls];
  for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
    const fn = files.get(call.file)?.get(call.enter);
    if (fn !== undefined) found.add(fn);
    for (const item of call.items) if (item.kind === "call") waiting.push(item.call);
  }
  return found;
}

const mostNames = 5;

function named(functions: readonly RecordedFunction[], reason: string): readonly string[] {
  if (functions.length === 0) return [];
  const names = functions.slice(0, mostNames).map(({ sites }) => sites.name);
  return [`${reason}: ${names.join(", ")}${functions.length > mostNames ? ", …" : ""}`];
}
