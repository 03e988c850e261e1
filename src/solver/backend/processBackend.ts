import type { Cancellation } from "../../base/cancellation.ts";
import type { Limits } from "../solver.ts";
import type { Backend, SolverConnection } from "./backend.ts";
import { startThread } from "./startThread.ts";
import { connectWorker } from "./workerConnection.ts";
import { createWorkerCaller } from "./workerRequest.ts";

/** Beyond this a solver process gives up with an error rather than take the machine with it. */
const processMegabytes = 3000;

const common =
  "(set-option :print-success false)(set-option :produce-models true)(set-option :produce-unsat-assumptions true)";

/** Z3 as a process. It is told the time limit too, so that a process whose owner died does not run on for ever. */
export function z3Backend(executable: string, megabytes: number = processMegabytes): Backend {
  return {
    name: "z3",
    options: common,
    identity: "Z3",
    limitCommands: ({ resources, milliseconds }) =>
      `(set-option :rlimit ${resources})(set-option :timeout ${milliseconds > 0 ? milliseconds : 4294967295})`,
    open: (_, cancellation) => openProcess(executable, ["-in", `-memory:${megabytes}`], cancellation),
  };
}

/** cvc5 as a process. Its limits can only be set when it starts, that of its memory only by the shell. */
export function cvc5Backend(executable: string, megabytes: number = processMegabytes): Backend {
  return {
    name: "cvc5",
    options: `${common}(set-logic ALL)`,
    identity: "cvc5",
    limitCommands: null,
    open: (limits, cancellation) => {
      const args = ["--lang=smt2", "--incremental", ...cvc5Limits(limits)];
      if (process.platform === "win32") return openProcess(executable, args, cancellation);
      return openProcess("/bin/sh", ["-c", limitedMemory(megabytes), executable, ...args], cancellation);
    },
  };
}

/** Becomes the command that follows it, with that much memory to address where the system has such a limit. */
function limitedMemory(megabytes: number): string {
  const limit = `ulimit -v ${megabytes * 1024}`;
  return `(${limit}) 2>/dev/null && ${limit}; exec "$0" "$@"`;
}

function cvc5Limits({ resources, milliseconds }: Limits): string[] {
  const result: string[] = [];
  if (resources > 0) result.push(`--rlimit-per=${resources}`);
  if (milliseconds > 0) result.push(`--tlimit-per=${milliseconds}`);
  return result;
}

function openProcess(executable: string, args: readonly string[], cancellation: Cancellation): SolverConnection {
  const caller = createWorkerCaller(
    (setup, transferList) =>
      startThread(
        import.meta.url,
        "processWorker",
        { ...setup, executable, arguments: args, processes: cancellation.processes },
        transferList,
      ),
    cancellation,
  );
  return connectWorker(caller, 1000);
}
