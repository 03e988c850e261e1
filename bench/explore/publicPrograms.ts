import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { cancelledAfter } from "../../src/base/cancellation.ts";
import { TracefoldError } from "../../src/base/errors.ts";
import { loadC } from "../../src/c/cFrontEnd.ts";
import { exploreProgram } from "../../src/commands/explore/pipeline.ts";

/** A task of SV-COMP: is an error location or assertion reached? */
export type Task = { readonly path: string; readonly set: string; readonly label: "safe" | "unsafe" };

export type TaskResult = Task & {
  readonly verdict: "safe" | "unsafe" | "unknown";
  readonly mode: string;
  readonly states: number;
  readonly applied: number;
  readonly ms: number;
  readonly reason: string;
  /** The program has no error location at all. */
  readonly isTrivial: boolean;
};

/** Labels that runs of gcc's builds refute: sum02 for n = 65536, n.c24 for tmp_cnt = 1001. */
const wrongLabels = /^(sum02_safe|n\.c24_safe)/;

export function isWrongLabel({ path }: Task): boolean {
  return wrongLabels.test(basename(path));
}

/** The sets below a folder that are there, or the folder itself. */
export function tasksIn(folder: string): readonly Task[] {
  const sets = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
  const folders = sets.length === 0 ? [folder] : sets.sort().map((name) => join(folder, name));
  return folders.flatMap((set) => tasksOfSet(set));
}

function tasksOfSet(folder: string): readonly Task[] {
  const names = readdirSync(folder).filter((name) => /(_|-)(un)?safe|(_|-)(true|false)(?!.*\.prp)/.test(name));
  const preprocessed = names.filter((name) => name.endsWith(".i"));
  const chosen = preprocessed.length > 0 ? preprocessed : names.filter((name) => name.endsWith(".c"));
  return chosen.sort().map((name) => ({
    path: join(folder, name),
    set: basename(folder),
    label: /unsafe|false/.test(name) ? "unsafe" : "safe",
  }));
}

/** As SV-COMP means them: 32 bits, signed arithmetic wraps, what is not initialised or defined is an input. */
export async function decideTask(task: Task, seconds: number): Promise<TaskResult> {
  const start = performance.now();
  const result = (part: Partial<TaskResult>): TaskResult => ({
    ...task,
    ...{ verdict: "unknown", mode: "", states: 0, applied: 0, reason: "", isTrivial: false },
    ms: performance.now() - start,
    ...part,
  });
  try {
    const program = await loadC(task.path, { uninitialized: "input", undefined: "input", dataModel: "ILP32" });
    const cancellation = cancelledAfter(seconds * 1000);
    const explored = exploreProgram(program, {
      goal: { kind: "property", properties: ["assertions"] },
      mode: "auto",
      searcher: "bfs",
      seed: 1,
      runs: 3000,
      maxStates: 1_000_000,
      maxDepth: 20_000,
      all: false,
      first: true,
      seconds,
      wholeTree: false,
      run: { undefinedBehaviour: "wrap", maxSteps: 200_000_000, cancellation },
      cancellation,
    });
    const { targets, counts, mode } = explored;
    const open = targets.find(({ status }) => status === "unknown");
    const verdict = explored.failures.length > 0 ? "unsafe" : open === undefined ? "safe" : "unknown";
    const reason = open?.status === "unknown" ? open.reason : "";
    return result({
      verdict,
      mode,
      states: counts.states,
      applied: counts.applied,
      reason,
      isTrivial: targets.length === 0,
    });
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return result({ reason: `${error.code}: ${error.message}` });
  }
}
