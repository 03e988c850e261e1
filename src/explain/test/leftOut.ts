import type { LoggedCall } from "../../js/recorder/readCalls.ts";
import type { RecordedFunction } from "../../js/replay/recordedFile.ts";
import type { LoweredTest } from "./lowerTest.ts";
import type { RecordedTest } from "./recordTest.ts";

/** What of the run the model does not follow, by name: its values are taken from the recording. */
export function leftOutNotes({ files, calls, message }: RecordedTest, { lowered }: LoweredTest): readonly string[] {
  const { ran, lost } = lowered.model.evidence;
  const called = functionsOf(calls, new Map(files.map((file) => [file.number, file.functions])));
  const generators = [...called].filter((fn) => fn.node.generator && !ran.has(fn));
  return [
    ...named(generators, "generators are not followed"),
    ...named([...lost], "these were followed only as far as the recording is clear"),
    // Wrappers make frames larger.
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
