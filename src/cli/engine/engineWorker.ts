import { parentPort, workerData } from "node:worker_threads";
import { Defect, formatError, TracefoldError } from "../../base/errors.ts";
import type { CheckRequest } from "../options/checkOptions.ts";
import type { CompressRequest } from "../options/compressOptions.ts";
import type { ExplainRequest } from "../options/explainOptions.ts";
import type { RunRequest } from "../options/runOptions.ts";
import { type Control, type ControlBuffers, newControl } from "./control.ts";
import type { EngineError, EngineMessage, EngineNews } from "./engineMessage.ts";

/** The thread that does the work of a command: one request, one answer. */
async function main(): Promise<EngineMessage> {
  const { request, control } = workerData as { request: EngineRequest; control: ControlBuffers };
  try {
    return await work(request, newControl(control));
  } catch (error) {
    return { kind: "error", error: describeError(error) };
  }
}

type EngineRequest = RunRequest | CompressRequest | ExplainRequest | CheckRequest;

/** Each command loads only what it needs. */
async function work(request: EngineRequest, control: Control): Promise<EngineMessage> {
  switch (request.command) {
    case "run":
      return (await import("./runEngine.ts")).runEngine(request, control);
    case "compress":
      return (await import("./compressEngine.ts")).compressEngine(request, control);
    case "explain":
      return (await import("./explainEngine.ts")).explainEngine(request, control, tell);
    case "check":
      return (await import("./checkEngine.ts")).checkEngine(request, control);
  }
}

function tell(news: EngineNews): void {
  parentPort!.postMessage(news);
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
