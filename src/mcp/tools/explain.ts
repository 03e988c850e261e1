import { givenTo } from "../../commands/command.ts";
import { explain } from "../../commands/explain/command.ts";
import type { Explanation } from "../../commands/explain/result.ts";
import { nameTableOf } from "../../recording/names.ts";
import { openRecording } from "../../recording/openRecording.ts";
import type { Recording } from "../../recording/recording.ts";
import type { ToolAnswer } from "../answer.ts";
import { changesOfExplanation, describeExplanation } from "../describeExplanation.ts";
import { callError, word } from "../parameters.ts";
import { explainRequest, runParameters } from "../programs.ts";
import { commandOf, type OpenRun, type RecordedRun } from "../session.ts";
import { tool } from "../tool.ts";

const parameters = {
  test: word("name of a failing test, or a part of it; the first failing one if left out"),
  command: word("name of a configured test command; the first one if left out"),
  ...runParameters,
  run: word("id of an open run, to see it again"),
} as const;

export const explainTool = tool({
  name: "explain",
  description:
    "Why does a test or run fail? Runs it, and tells suspected lines, changes with which it passes (c1, c2: for try_change) and the values on the way to the failure (s12: steps for why). Without files: a JavaScript or TypeScript test of a configured command. With files: a C program; failing inputs are searched for if it reads inputs and none are given. Opens a run (r1). Call it before reading code.",
  parameters,
  async answer(given, session, call): Promise<ToolAnswer> {
    if (given.run !== null) return describeExplanation(given.run, session.runs.get(given.run));
    const asksProgram = given.files !== null;
    if (asksProgram && given.command !== null)
      throw callError('"command" runs the tests of a project: it does not go with "files"', "Leave one of them out.");
    const words = asksProgram ? null : commandOf(session, given.command);
    const request =
      words === null
        ? explainRequest(session, given)
        : {
            ...explain.request(
              givenTo(explain, {
                words: [],
                programArguments: words,
                raw: given.test === null ? {} : { test: given.test },
              }),
            ),
            withRecording: true,
          };
    const { explanation, sources, recording } = await session.queue.run(explain, request, call);
    const run: OpenRun = {
      explanation,
      sources,
      recorded: recording === null ? null : recordedRun(recording),
      bytes: recording === null ? 0 : sizeOf(recording),
      subject:
        words === null
          ? {
              kind: "program",
              program: withInputs(request, explanation),
              tests: request.tests,
              test: nameOf(explanation),
            }
          : { kind: "project", command: words, test: nameOf(explanation) ?? "" },
      changes: changesOfExplanation(explanation),
    };
    return describeExplanation(session.runs.add(run), run);
  },
});

type ExplainRequest = ReturnType<typeof explain.request>;

/** The inputs of the run that was explained, which may have been searched for. */
function withInputs(request: ExplainRequest, { inputs }: Explanation): ExplainRequest {
  const given = givenTo(explain, { words: request.files, raw: { inputs: inputs.map(({ value }) => value).join(",") } });
  return inputs.length === 0 ? request : { ...request, inputs: explain.request(given).inputs, inputsAreBits: false };
}

function nameOf({ tests }: Explanation): string | null {
  return tests?.explained ?? null;
}

function recordedRun(recording: Recording): RecordedRun {
  const open = openRecording(recording);
  return { open, names: nameTableOf(open) };
}

/** Bytes of the columns and of the texts. */
function sizeOf(recording: Recording): number {
  const tables = [recording.steps, recording.reads, recording.executions, recording.activations, recording.effects];
  const columns = tables.flatMap((table) => Object.values(table) as Int32Array[]);
  const texts = [...recording.values, ...recording.cells];
  return (
    columns.reduce((sum, { byteLength }) => sum + byteLength, 0) +
    texts.reduce((sum, { length }) => sum + 2 * length, 0)
  );
}
