import { callError, requiredWord, wholeNumber } from "../parameters.ts";
import { tool } from "../tool.ts";

const parameters = { answer: requiredWord("a1"), from: wholeNumber("") } as const;

export const moreTool = tool({
  name: "more",
  description: "The lines that an earlier answer left out.",
  parameters,
  onlyReads: true,
  async answer({ answer: id, from }, session) {
    const { lines } = session.answers.get(id);
    const start = from ?? 0;
    if (start < lines.length) return { id, from: start };
    throw callError(`answer ${id} has ${lines.length} lines, numbered from 0`, "Give a smaller number.");
  },
});
