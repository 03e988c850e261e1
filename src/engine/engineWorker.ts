import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { sharedCancellation } from "../base/cancellation.ts";
import { Defect } from "../base/errors.ts";
import { jobs } from "../commands/all.ts";
import type { CommonRequest } from "../commands/command.ts";
import { describeError, type EngineMessage } from "./message.ts";

const mostGarbage = 32 * 2 ** 20;

/**
 * V8 itself looks at old objects only after hundreds of MB, and keeps the code of programs that ran for five more times: a
 * thread with many small requests would grow with each.
 */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  setFlagsFromString("--bytecode-old-age=1");
  const collectAll = runInNewContext("gc") as () => void;
  let kept = getHeapStatistics().total_heap_size;
  return () => {
    if (getHeapStatistics().total_heap_size < kept + mostGarbage) return;
    collectAll();
    kept = getHeapStatistics().total_heap_size;
  };
}

/** One request, one answer. */
export type EngineTask = {
  readonly job: string;
  readonly request: CommonRequest;
  readonly cancellation: SharedArrayBuffer;
};

async function main({ job: name, request, cancellation }: EngineTask): Promise<EngineMessage> {
  try {
    const job = jobs.find((each) => each.name === name);
    if (job === undefined) throw new Defect(`no job is called ${name}`);
    const answer = await job.work(request, {
      cancellation: sharedCancellation(cancellation),
      report: (phase) => say({ kind: "phase", phase }),
      tell: (answer) => say({ kind: "known", answer }),
    });
    return { kind: "answer", job: name, answer };
  } catch (error) {
    return { kind: "error", error: describeError(error) };
  }
}

const say = (message: EngineMessage) => parentPort!.postMessage(message);

// A thread that starts without a request is one for many: they come as messages, one after the other.
if (workerData === null) {
  const collect = garbageCollector();
  parentPort!.on("message", async (task: EngineTask) => {
    say(await main(task));
    collect();
  });
} else say(await main(workerData as EngineTask));
