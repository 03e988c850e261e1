import { givenTo } from "../commands/command.ts";
import { explain } from "../commands/explain/command.ts";
import type { Explanation } from "../commands/explain/result.ts";
import { readWords } from "../commands/options/words.ts";
import { rebuildError } from "../engine/message.ts";
import { startEngine } from "../engine/startEngine.ts";
import { endOf, type FailingTest, problemOf } from "./failingTests.ts";
import { endingOf, type Interruption } from "./interruption.ts";

/** A test with its explanation; null with the reason if there is none. */
export type TestWithExplanation = {
  readonly test: FailingTest;
  readonly explanation: Explanation | null;
  readonly sources: ReadonlyMap<string, string>;
  /** The file of its page; null if none was written. */
  readonly page: string | null;
  readonly problem: string | null;
};

export async function explainTest(
  test: FailingTest,
  seconds: number,
  page: string | null,
  interruption: Interruption,
): Promise<TestWithExplanation> {
  const request = { ...explain.request(givenFor(test)), page };
  const engine = startEngine(explain, request);
  const timer = setTimeout(engine.stop, 1000 * seconds, "timeout");
  try {
    const ending = await endingOf(engine, interruption);
    if (ending.kind === "error") return without(test, problemOf(rebuildError(ending.error)));
    const answer = ending.kind === "answer" ? ending.answer : ending.known;
    if (answer === null) {
      const signal = interruption.signal();
      return without(test, `nothing was known ${signal === null ? `after ${seconds} s` : `when ${signal} came`}`);
    }
    const { explanation, sources } = answer;
    return { test, explanation, sources, page: ending.kind === "answer" ? page : null, problem: null };
  } finally {
    clearTimeout(timer);
    engine.end();
  }
}

function without(test: FailingTest, problem: string): TestWithExplanation {
  return { test, explanation: null, sources: new Map(), page: null, problem };
}

function givenFor({ subject, name }: FailingTest) {
  const chosen = name === null ? {} : { test: name };
  if (subject.kind === "project")
    return givenTo(explain, { words: [], programArguments: subject.command, raw: chosen });
  const end = endOf(subject.words);
  const { words, raw } = readWords("--c", explain, subject.words.slice(0, end));
  return givenTo(explain, { words, programArguments: subject.words.slice(end + 1), raw: { ...raw, ...chosen } });
}
