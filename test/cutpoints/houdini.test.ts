import { expect, it } from "vitest";
import { keepImplied } from "../../src/cutpoints/houdini.ts";
import { conjuncts, type Term } from "../../src/logic/term.ts";
import { createTerms } from "../../src/logic/terms.ts";
import type { Implication, ProofSession } from "../../src/solver/solver.ts";

const terms = createTerms();
const goals = Array.from({ length: 40 }, (_, i) => terms.ge(terms.variable(`x${i}`, "Int"), terms.int(0)));
const unknown: Implication = { kind: "unknown", reason: "no time" };

/** Asks with a session that answers by what it is asked about; which goals are kept, and which are lost. */
function ask(answer: (asked: readonly Term[]) => Implication) {
  let questions = 0;
  const lost: number[] = [];
  const session: ProofSession = {
    implies: (_, goal) => {
      questions++;
      return answer(conjuncts(goal));
    },
    close: () => {},
  };
  const kept = keepImplied(
    terms,
    session,
    () => [],
    goals,
    (index) => lost.push(index),
  );
  expect([...kept, ...lost].sort((a, b) => a - b)).toEqual([...goals.keys()]);
  return { kept: [...kept], questions };
}

it("keeps nothing without an answer, and does not ask forever", () => {
  const { kept, questions } = ask(() => unknown);
  expect(kept).toEqual([]);
  expect(questions).toBeLessThan(goals.length);
});

it("takes an answer about some goals as an answer about those alone", () => {
  const hard = goals[7]!;
  const { kept } = ask((asked) => (asked.includes(hard) ? unknown : { kind: "proved", used: [] }));
  expect(kept).toEqual([...goals.keys()].filter((i) => i !== 7));
});

it("does not take a model that refutes no goal as an answer", () => {
  const { kept } = ask(() => ({ kind: "refuted", model: () => undefined }));
  expect(kept).toEqual([]);
  const positive: Implication = { kind: "refuted", model: () => 1n };
  expect(ask(() => positive).kept).toEqual([]);
});

it("lets a model refute every goal that is false in it", () => {
  const { kept, questions } = ask((asked) => {
    if (asked.length < goals.length) return { kind: "proved", used: [] };
    return { kind: "refuted", model: ({ name }) => (Number(name.slice(1)) % 2 === 0 ? -1n : 0n) };
  });
  expect(kept).toEqual([...goals.keys()].filter((i) => i % 2 === 1));
  expect(questions).toBe(2);
});
