/** The stages of an explanation, in order; `--dump` names them. */
export const stageNames = [
  "dependences",
  "experiments",
  "whys",
  "folds",
  "facts",
  "inputs",
  "proof",
  "reproducer",
  "text",
  "explanation",
] as const;
export type StageName = (typeof stageNames)[number];
