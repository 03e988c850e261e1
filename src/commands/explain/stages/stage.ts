import { Defect } from "../../../base/errors.ts";

/** One stage on the way to an explanation. */
export type Stage<Given, Made> = {
  readonly name: StageName;
  make(given: Given): Made;
  /** Violated invariants of the result, in words. */
  problems(made: Given & Made): readonly string[];
  /** The result as text for people. */
  print(made: Given & Made): string;
};

/** Observes the results of the stages. */
export type StageWatch = {
  /** True to stop with an internal error if a stage produces an invalid result. */
  readonly check: boolean;
  dump?(stage: StageName, text: () => string): void;
};

export type RunStage = <Needed, Made, Given extends Needed>(stage: Stage<Needed, Made>, given: Given) => Given & Made;

/** Runs stages in order; each one sees the results of the earlier ones. */
export function stagesWatchedBy({ check, dump }: StageWatch): RunStage {
  return (stage, given) => {
    const made = { ...given, ...stage.make(given) };
    dump?.(stage.name, () => stage.print(made));
    const problems = check ? stage.problems(made) : [];
    if (problems.length > 0) throw new Defect(`${stage.name}: ${problems.join("; ")}`);
    return made;
  };
}

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
