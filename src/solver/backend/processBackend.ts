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
    open: () => openProcess(executable, ["-in", `-memory:${megabytes}`]),
  };
}

/** cvc5 as a process. Its limits can only be set when it starts. */
export function cvc5Backend(executable: string): Backend {
  return {
    name: "cvc5",
    options: `${common}(set-logic ALL)`,
    identity: "cvc5",
    limitCommands: null,
    open: (limits) => openProcess(executable, ["--lang=smt2", "--incremental", ...cvc5Limits(limits)]),
  };
}

function cvc5Limits({ resources, milliseconds }: Limits): string[] {
  const result: string[] = [];
  if (resources > 0) result.push(`--rlimit-per=${resources}`);
  if (milliseconds > 0) result.push(`--tlimit-per=${milliseconds}`);
  return result;
}

function openProcess(executable: string, args: readonly string[]): SolverConnection {
  const caller = createWorkerCaller((setup, transferList) =>
    startThread(import.meta.url, "processWorker", { ...setup, executable, arguments: args }, transferList),
  );
  return connectWorker(caller, 1000);
}
