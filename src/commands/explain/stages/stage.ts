import { Defect } from "../../../base/errors.ts";

/** One step of the way to an explanation: from what is known already to something more. */
export type Stage<Given, Made> = {
  readonly name: StageName;
  make(given: Given): Made;
  /** What ought to hold of it and does not, in words. */
  problems(made: Given & Made): readonly string[];
  /** What it made, for people. */
  print(made: Given & Made): string;
};

/** Who looks at what the stages make. */
export type StageWatch = {
  /** Ends the work with a defect where a stage made what it may not make. */
  readonly check: boolean;
  dump?(stage: StageName, text: () => string): void;
};

export type RunStage = <Needed, Made, Given extends Needed>(stage: Stage<Needed, Made>, given: Given) => Given & Made;

/** Does stages one after the other; what one makes, the next ones know. */
export function stagesWatchedBy({ check, dump }: StageWatch): RunStage {
  return (stage, given) => {
    const made = { ...given, ...stage.make(given) };
    dump?.(stage.name, () => stage.print(made));
    const problems = check ? stage.problems(made) : [];
    if (problems.length > 0) throw new Defect(`${stage.name}: ${problems.join("; ")}`);
    return made;
  };
}

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
