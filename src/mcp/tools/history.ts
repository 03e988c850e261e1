import { historyOf } from "../../recording/history.ts";
import { statementAt } from "../../recording/moment.ts";
import type { OpenRecording } from "../../recording/openRecording.ts";
import { claim, type ToolAnswer } from "../answer.ts";
import { recordingOfRun, stepOf } from "../findStep.ts";
import { callError, requiredWord, wholeNumber, word } from "../parameters.ts";
import { cellOfStep, cellsNamed, cut, statementText, stepId } from "../places.ts";
import { tool } from "../tool.ts";

const parameters = {
  run: requiredWord(""),
  variable: word("x, a[2], this.total"),
  step: word("a step that writes it, or where to look"),
  file: word(""),
  line: wholeNumber(""),
} as const;

export const historyTool = tool({
  name: "history",
  description: "All values that a variable, element or field had in an open run, with the statements that wrote them.",
  parameters,
  onlyReads: true,
  async answer(given, session): Promise<ToolAnswer> {
    const run = session.runs.get(given.run);
    const open = recordingOfRun(given.run, run);
    if (given.variable === null && given.step === null)
      throw callError('"variable" is missing', "Name a variable, or a step that writes it.");
    const step = stepOf(session, open, run, given);
    const cell = cellOfStep(open, step);
    if (cell === null)
      throw callError(`${stepId(step)} writes no variable that is recorded`, "Name a variable, or another step.");
    return { lines: historyLines(open, cell) };
  },
});

function historyLines(open: OpenRecording, cell: number): readonly string[] {
  const { name, points, writes } = historyOf(open, cell);
  const others = cellsNamed(open, name).filter((each) => each !== cell);
  return [
    claim(`${name} was written ${writes} times`, "observed"),
    ...points.map(({ step, value }, i) => {
      const shown = value === "" ? "a value that is not known" : cut(value, 80);
      const statement = statementAt(open, step);
      const before = points[i - 1];
      // The same statement is not told again and again.
      const isSame = before !== undefined && statementAt(open, before.step) === statement;
      const where = isSame ? "" : `, ${statementText(open, statement)}`;
      return claim(` ${stepId(step)} ${name} = ${shown}${where}`, "observed");
    }),
    ...(points.length < writes ? [`${writes - points.length} writes between them are left out evenly`] : []),
    ...(others.length === 0 ? [] : [`${others.length} others have this name; ask with one of their steps:`]),
    ...others.map((each) => {
      const [first = 0] = open.writesOf(each);
      return claim(` ${stepId(first)} ${statementText(open, statementAt(open, first))}`, "observed");
    }),
  ];
}
