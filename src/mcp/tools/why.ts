import { readerLines, whyItFails, whyLines, whyNotLines } from "../../render/recordingText.ts";
import { recordedClaim } from "../answer.ts";
import { fileOf, recordingOfRun, stepOf } from "../findStep.ts";
import { callError, requiredWord, truth, wholeNumber, word } from "../parameters.ts";
import { tool } from "../tool.ts";

const parameters = {
  run: requiredWord(""),
  step: word("s12"),
  file: word(""),
  line: wholeNumber(""),
  variable: word("as in the source: x, a[2], this.total"),
  not: truth("why was the line not executed?"),
} as const;

export const whyTool = tool({
  name: "why",
  description:
    "Why did a step of an open run happen: what it read and who wrote that, the condition or call that led there, what its calls returned. Name a step, a line, or a variable (its last write before the step, line, or failure). With not: why a line was not executed.",
  parameters,
  onlyReads: true,
  async answer(given, session) {
    const run = session.runs.get(given.run);
    const { open } = recordingOfRun(given.run, run);
    if (given.not) {
      if (given.line === null) throw callError('"not" needs a line', "Give the line that was not executed.");
      const near = stepOf(session, given.run, run, { ...given, line: null, variable: null });
      return { lines: whyNotLines(open, fileOf(session, open, given.file), given.line, near).map(recordedClaim) };
    }
    const isFailure = given.step === null && given.line === null && given.variable === null;
    if (isFailure && run.explanation.kind === "explained")
      return { lines: whyItFails(run.explanation, open).map(recordedClaim) };
    const step = stepOf(session, given.run, run, given);
    const isWhole = given.step === null && given.variable === null;
    return { lines: [...whyLines(open, step, isWhole), ...readerLines(open, step)].map(recordedClaim) };
  },
});
