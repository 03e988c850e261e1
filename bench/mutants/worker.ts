import { assertNever } from "../../src/base/errors.ts";
import type { CaseAnswer } from "./caseAnswer.ts";
import { explainCase } from "./explainCase.ts";
import { type FailingCase, failingCases } from "./failingCases.ts";
import { mutatedText } from "./mutation.ts";
import { testedPrograms } from "./programs.ts";
import { suspectsOfCase } from "./suspectsOfCase.ts";

/** What a process of the pool is asked. */
export type Task =
  | { readonly kind: "cases"; readonly program: string }
  /** `suspects`: their order alone. */
  | { readonly kind: "explain" | "suspects"; readonly case: FailingCase; readonly budget: number };

export type TaskResult =
  | { readonly kind: "cases"; readonly cases: readonly FailingCase[] }
  | { readonly kind: "answer"; readonly answer: CaseAnswer }
  | { readonly kind: "lost"; readonly reason: string };

const programs = new Map(testedPrograms().map((program) => [program.name, program]));

async function perform(task: Task): Promise<TaskResult> {
  switch (task.kind) {
    case "cases":
      return { kind: "cases", cases: await failingCases(programs.get(task.program)!) };
    case "explain":
    case "suspects": {
      const { path, text } = programs.get(task.case.program)!;
      const mutant = { path, text: mutatedText(text, task.case.mutation) };
      const answer = task.kind === "explain" ? explainCase : suspectsOfCase;
      return { kind: "answer", answer: await answer(task.case, mutant, task.budget) };
    }
    default:
      return assertNever(task);
  }
}

process.on("message", async (task: Task) => {
  try {
    process.send?.(await perform(task));
  } catch (error) {
    process.send?.({ kind: "lost", reason: error instanceof Error ? error.message : `${error}` } satisfies TaskResult);
  }
});
