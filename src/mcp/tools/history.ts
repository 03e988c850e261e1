import type { OpenRecording } from "../../recording/openRecording.ts";
import { historyLines, stepName, stepText } from "../../render/recordingText.ts";
import { claim, recordedClaim, type ToolAnswer } from "../answer.ts";
import { cellOf, cellsNamed, recordingOfRun, stepOf } from "../findStep.ts";
import { callError, requiredWord, wholeNumber, word } from "../parameters.ts";
import { tool } from "../tool.ts";

const parameters = {
  run: requiredWord(""),
  variable: word("x, a[2], this.total"),
  step: word("a step that writes it, or where to look"),
  file: word(""),
  line: wholeNumber(""),
} as const;

/** Of more writes, some are left out evenly. */
const mostValues = 2000;

export const historyTool = tool({
  name: "history",
  description: "All values that a variable, element or field had in an open run, with the statements that wrote them.",
  parameters,
  onlyReads: true,
  async answer(given, session): Promise<ToolAnswer> {
    const run = session.runs.get(given.run);
    const { open } = recordingOfRun(given.run, run);
    if (given.variable === null && given.step === null)
      throw callError('"variable" is missing', "Name a variable, or a step that writes it.");
    const near = stepOf(session, given.run, run, { ...given, variable: null });
    const cell = cellOf(given.run, run, given.variable, near);
    if (cell === null)
      throw callError(`${stepName(near)} writes no variable that is recorded`, "Name a variable, or another step.");
    return { lines: [...historyLines(open, cell, mostValues).map(recordedClaim), ...otherCells(open, cell)] };
  },
});

/** Variables of other calls, or of other objects, with the same name. */
function otherCells(open: OpenRecording, cell: number): readonly string[] {
  const others = cellsNamed(open, open.recording.cells[cell] ?? "").filter((each) => each !== cell);
  if (others.length === 0) return [];
  const firsts = others.map((each) => open.writesOf(each)[0] ?? 0);
  return [
    `${others.length} others have this name; ask with one of their steps:`,
    ...firsts.map((first) => claim(` ${stepText(open, first)}`, "observed")),
  ];
}
