import { type ChildProcess, fork } from "node:child_process";

/** What became of a question to a worker. */
export type Answered<A> =
  | { readonly kind: "answer"; readonly answer: A }
  /** It took too long; the process was ended. */
  | { readonly kind: "slow" }
  | { readonly kind: "died"; readonly how: string };

export type Worker<Q, A> = { ask(question: Q): Promise<Answered<A>>; end(): void };

/** A process that answers one question after the other, and a new one whenever it takes too long or dies. */
export function startWorker<Q, A>(module: URL, milliseconds: number): Worker<Q, A> {
  let child: ChildProcess | null = null;
  const end = () => {
    child?.kill("SIGKILL");
    child = null;
  };
  const ask = async (question: Q): Promise<Answered<A>> => {
    // How long it takes to start is not the question's fault.
    child ??= await started(module);
    const own = child;
    return new Promise((settle) => {
      const finish = (result: Answered<A>) => {
        clearTimeout(timer);
        own.removeAllListeners();
        settle(result);
      };
      const timer = setTimeout(() => {
        end();
        finish({ kind: "slow" });
      }, milliseconds);
      own.once("message", (answer) => finish({ kind: "answer", answer: answer as A }));
      own.once("exit", (code, signal) => {
        child = null;
        finish({ kind: "died", how: `${signal ?? code}` });
      });
      own.send(question as object);
    });
  };
  return { ask, end };
}

function started(module: URL): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(module, { execArgv: ["--import", "tsx"], serialization: "advanced" });
    child.once("message", () => {
      child.removeAllListeners();
      resolve(child);
    });
    child.once("exit", () => reject(new Error(`${module.pathname} does not start`)));
  });
}

/** In the worker's process: answers questions for as long as its parent lives. */
export function answerQuestions<Q, A>(answer: (question: Q) => Promise<A>): void {
  process.on("message", async (question: Q) => process.send!(await answer(question)));
  process.on("disconnect", () => process.exit());
  process.send!("ready");
}
