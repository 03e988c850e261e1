import { parentPort, workerData } from "node:worker_threads";
import { sharedCancellation } from "../base/cancellation.ts";
import { Defect } from "../base/errors.ts";
import { commands } from "../commands/all.ts";
import type { CommonRequest } from "../commands/command.ts";
import { describeError, type EngineMessage } from "./message.ts";

/** The data for starting the thread: one request, one answer. */
export type EngineTask = {
  readonly command: string;
  readonly request: CommonRequest;
  readonly cancellation: SharedArrayBuffer;
};

async function main({ command: name, request, cancellation }: EngineTask): Promise<EngineMessage> {
  try {
    const command = commands.find((each) => each.name === name);
    if (command === undefined) throw new Defect(`no command is called ${name}`);
    const answer = await command.work(request, {
      cancellation: sharedCancellation(cancellation),
      report: (phase) => say({ kind: "phase", phase }),
      tell: (answer) => say({ kind: "known", answer }),
    });
    return { kind: "answer", command: name, answer };
  } catch (error) {
    return { kind: "error", error: describeError(error) };
  }
}

const say = (message: EngineMessage) => parentPort!.postMessage(message);

say(await main(workerData as EngineTask));
