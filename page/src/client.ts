import type { PackedHead } from "../../src/recording/columns.ts";
import type { AnswerTo, ArgumentsOf, QuestionName } from "./questions.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** Asks the worker; null if the page has no recording. */
export type Client = {
  readonly head: PackedHead;
  ask<N extends QuestionName>(question: N, ...words: ArgumentsOf<N>): Promise<AnswerTo<N>>;
};

export function connect(head: PackedHead | null, bytes: Uint8Array): Client | null {
  if (head === null) return null;
  const worker = startWorker();
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let last = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.kind === "answer") asked?.resolve(data.answer);
    else asked?.reject(new Error(data.message));
  });
  const post = (message: ToWorker) => worker.postMessage(message);
  // The bytes move to the worker: they are many, and nobody needs them here.
  worker.postMessage({ kind: "open", head, bytes } satisfies ToWorker, [bytes.buffer]);
  return {
    head,
    ask<N extends QuestionName>(question: N, ...words: ArgumentsOf<N>) {
      const id = ++last;
      return new Promise<AnswerTo<N>>((resolve, reject) => {
        waiting.set(id, { resolve: (answer) => resolve(answer as AnswerTo<N>), reject });
        post({ kind: "ask", id, question, words });
      });
    },
  };
}

/** The page's own script once more, in a worker: nothing is loaded. */
function startWorker(): Worker {
  const own = [...document.scripts].find(({ type, src, id }) => type === "" && src === "" && id === "");
  // While the page is developed, vite serves the modules.
  if (own === undefined) return new Worker("/src/main.tsx", { type: "module" });
  const url = URL.createObjectURL(new Blob([own.textContent ?? ""], { type: "text/javascript" }));
  return new Worker(url);
}
