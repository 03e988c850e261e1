import type { Tool } from "./tool.ts";
import { contractsTool } from "./tools/contracts.ts";
import { explainTool } from "./tools/explain.ts";
import { findFailingInputTool } from "./tools/findFailingInput.ts";
import { historyTool } from "./tools/history.ts";
import { moreTool } from "./tools/more.ts";
import { tryChangeTool } from "./tools/tryChange.ts";
import { verifyTool } from "./tools/verify.ts";
import { whyTool } from "./tools/why.ts";

/** In the order in which they are used. */
export const tools: readonly Tool[] = [
  explainTool,
  whyTool,
  historyTool,
  tryChangeTool,
  findFailingInputTool,
  verifyTool,
  contractsTool,
  moreTool,
];

/** For the model, before any call. */
export const instructions =
  "Every line ends in how it is known: [observed] in this run, [re-run] with a change or other inputs, [proved] by a checked proof. Explain a failure, ask why, try a change, then edit the file. Paths are relative to the workspace.";
