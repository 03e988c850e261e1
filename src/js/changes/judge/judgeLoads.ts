import type { TestId, WorkerFile } from "../../runners/runner.ts";
import type { JudgeNote } from "./judgeWorker.ts";

export type LoadRequest = {
  readonly target: TestId;
  /** The numbers of the changes, in the order in which to try them. */
  readonly loads: readonly number[];
  /** Other tests that pass, and that fail. */
  readonly passing: readonly TestId[];
  readonly failing: readonly TestId[];
  /** Does some work while a change is on; its error, null if there is none. */
  readonly run: (on: number, work: () => Promise<unknown>) => Promise<unknown>;
  /** True for the error of the target without any change. */
  readonly failsAlike: (error: unknown) => boolean;
  readonly note: (note: JudgeNote) => void;
  readonly isOver: () => boolean;
};

/** So many other tests tell enough about a change. */
const mostPassing = 40;
const mostFailing = 8;

/** Tries changes of code that runs while modules are loaded: the file is loaded anew with each, in place. */
export async function judgeLoads(file: WorkerFile, request: LoadRequest): Promise<void> {
  const { target, loads, run, note } = request;
  const { reload } = file;
  if (reload === undefined || loads.length === 0) return;
  const once = async () => (await reload())(target);
  // Loaded anew, the test must fail as it did.
  for (let i = 0; i < 2; i++) if (!request.failsAlike(await run(0, once))) return;
  let tried = 0;
  for (const number of loads) {
    if (request.isOver()) break;
    tried++;
    if ((await run(number, once)) !== null) continue;
    const verdict = await judgeLoad(reload, number, request);
    note({ kind: "judged", number, ...verdict });
    if (verdict.broken.length === 0 && (verdict.repairs ?? 1) === 1) break;
  }
  note({ kind: "loaded", tried });
}

async function judgeLoad(reload: NonNullable<WorkerFile["reload"]>, on: number, request: LoadRequest) {
  const broken: string[] = [];
  let [asked, repaired] = [0, 0];
  const failing = request.failing.slice(0, mostFailing);
  const error = await request.run(on, async () => {
    const again = await reload();
    for (const test of request.passing.slice(0, mostPassing)) {
      asked++;
      if ((await again(test)) === null) continue;
      broken.push(test.name);
      return null;
    }
    for (const test of failing) if ((await again(test)) === null) repaired++;
    return null;
  });
  // A change that ends the tests early has not passed them.
  if (error !== null) broken.push(request.target.name);
  return { asked, broken, repairs: failing.length === 0 ? null : repaired / failing.length };
}
