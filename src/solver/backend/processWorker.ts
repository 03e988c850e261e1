import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { workerData } from "node:worker_threads";
import { addProcess, removeProcess } from "../../base/cancellation.ts";
import { serveRequests, type WorkerAnswer, type WorkerSetup } from "./workerConnection.ts";

/** Owns a solver process for the conversation and one for scripts. Never blocks, so it can end a stuck one. */
const setup = workerData as WorkerSetup & {
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly processes: Int32Array | null;
};

/** No answer is longer; a program that prints without end is no solver. */
const outputLimit = 64 * 2 ** 20;

type Respond = (answer: WorkerAnswer) => void;

type SolverProcess = {
  hasEnded(): boolean;
  exchange(text: string, id: number, respond: Respond): void;
  end(): Promise<void>;
};

const processes = new Map<"exchange" | "script", SolverProcess>();

serveRequests(setup, (request, respond) => {
  if (request.kind === "stop") {
    const ended = [...processes.values()].map((process) => process.end());
    processes.clear();
    // Stopping this thread at once would leave zombie processes.
    void Promise.all(ended).then(() => respond({ kind: "output", text: "" }));
    return;
  }
  const role = request.kind === "script" ? "script" : "exchange";
  let process = processes.get(role);
  // A conversation continues only with the process that heard its beginning.
  if (process === undefined || (process.hasEnded() && request.kind !== "exchange")) {
    try {
      process = startProcess();
    } catch (error) {
      // The system refuses a file that it cannot run at once, unlike a missing one.
      return respond({ kind: "failed", cause: "died", message: `${setup.executable}: ${(error as Error).message}` });
    }
    processes.set(role, process);
  }
  const text = request.kind === "exchange" ? request.text : `(reset)${request.text}`;
  process.exchange(text, request.id, respond);
});

function startProcess(): SolverProcess {
  let waiting: { readonly mark: string; readonly respond: Respond } | null = null;
  let ended: string | null = null;
  let output = "";
  let complaints = "";
  const child: ChildProcessWithoutNullStreams = spawn(setup.executable, setup.arguments, { windowsHide: true });
  child.unref();
  addProcess(setup.processes, child.pid);

  const die = (message: string) => {
    ended ??= message;
    const cause = /out of memory|bad_alloc/.test(`${output}${complaints}`) ? "memory" : "died";
    waiting?.respond({ kind: "failed", cause, message: describe(ended) });
    waiting = null;
  };
  const describe = (message: string) => {
    const said = `${complaints}${output}`.trim().slice(0, 200);
    return said === "" ? message : `${message}: ${said}`;
  };

  child.on("error", (error) => die(`${setup.executable}: ${error.message}`));
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => {
      removeProcess(setup.processes, child.pid);
      resolve();
    });
    child.once("error", () => resolve());
  });
  child.on("close", (code, signal) =>
    die(`${setup.executable} ended ${signal ? `by ${signal}` : `with code ${code}`}`),
  );
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    complaints = (complaints + chunk).slice(-2000);
  });
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    if (output.length > outputLimit) child.kill("SIGKILL");
    if (waiting === null) return;
    const end = output.indexOf(waiting.mark, Math.max(0, output.length - chunk.length - waiting.mark.length - 2));
    if (end < 0 || !output.includes("\n", end)) return;
    // cvc5 repeats the quotes of an echo, z3 does not.
    const text = output.slice(0, output[end - 1] === '"' ? end - 1 : end);
    output = "";
    const { respond } = waiting;
    waiting = null;
    respond({ kind: "output", text });
  });

  return {
    hasEnded: () => ended !== null,
    exchange(text, id, respond) {
      if (ended !== null) return respond({ kind: "failed", cause: "died", message: ended });
      const mark = `tracefold-end-${id}`;
      waiting = { mark, respond };
      output = "";
      child.stdin.write(`${text}\n(echo "${mark}")\n`);
    },
    end() {
      waiting = null;
      child.kill("SIGKILL");
      return gone;
    },
  };
}
