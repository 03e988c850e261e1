import { parentPort, workerData } from "node:worker_threads";
import { Defect, formatError, TracefoldError } from "../../base/errors.ts";
import type { RunRequest } from "../options/runOptions.ts";
import { newControl } from "./control.ts";
import type { EngineError, EngineMessage } from "./engineMessage.ts";
import { runEngine } from "./runEngine.ts";

/** The thread that does the work of a command: one request, one answer. */
async function main(): Promise<EngineMessage> {
  const { request, control } = workerData as { request: RunRequest; control: SharedArrayBuffer };
  try {
    return await runEngine(request, newControl(control));
  } catch (error) {
    return { kind: "error", error: describeError(error) };
  }
}

function describeError(error: unknown): EngineError {
  if (error instanceof TracefoldError) {
    return { kind: "tracefold", text: formatError(error), limit: error.kind === "limit" };
  }
  const cause = error instanceof Defect && error.cause instanceof Error ? error.cause : error;
  const { message, stack } = cause instanceof Error ? cause : { message: String(cause), stack: undefined };
  return { kind: "defect", message, stack: stack ?? message };
}

parentPort!.postMessage(await main());
