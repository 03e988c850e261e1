import { type PackedHead, unpackRecording } from "../../src/recording/columns.ts";
import { type OpenRecording, openRecording } from "../../src/recording/openRecording.ts";
import { answers, type QuestionName } from "./questions.ts";

export type ToWorker =
  | { readonly kind: "open"; readonly head: PackedHead; readonly bytes: Uint8Array }
  | { readonly kind: "ask"; readonly id: number; readonly question: QuestionName; readonly words: readonly unknown[] };

export type FromWorker =
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly message: string };

/** Answers questions about the recording in the worker, so that the page stays quick. */
export function serve(): void {
  let open: OpenRecording | null = null;
  const post = (message: FromWorker) =>
    (self as unknown as { postMessage(message: FromWorker): void }).postMessage(message);
  self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    if (data.kind === "open") {
      open = openRecording(unpackRecording(data));
      return;
    }
    try {
      if (open === null) throw new Error("no recording is open");
      post({ kind: "answer", id: data.id, answer: ask(open, data.question, data.words) });
    } catch (error) {
      post({ kind: "failed", id: data.id, message: error instanceof Error ? error.message : String(error) });
    }
  });
}

function ask(open: OpenRecording, question: QuestionName, words: readonly unknown[]): unknown {
  const answer = answers[question] as (open: OpenRecording, ...words: readonly unknown[]) => unknown;
  return answer(open, ...words);
}
