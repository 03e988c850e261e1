import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import { faultyPrograms } from "../../../analyses/counterfactual/programs.ts";
import { root } from "../../../support/builtCli.ts";
import { observedExplanation } from "../../../support/observedExplanation.ts";
import { checkShownValues } from "../../../support/shownValues.ts";

const folder = join(root, "examples/explain");
/** Inputs with which an example fails. */
const inputs: Readonly<Record<string, readonly bigint[]>> = {
  "off-by-one.c": [5n],
  "wrong-branch.c": [18n, 3n],
};

const examples = readdirSync(folder).flatMap((name) => {
  const text = readFileSync(join(folder, name), "utf8");
  return text.includes("nondet") && inputs[name] === undefined ? [] : [{ name, text, given: inputs[name] ?? [] }];
});

/** What the explanation shows, compared in the program itself as gcc compiles it. */
async function judged(name: string, text: string, given: readonly bigint[]) {
  const trace = recordTrace(await loadCText(name, text), { inputs: given, maxSteps: 20_000 });
  const values = `{${[...given, 0n].join(", ")}}`;
  const stub = `\nint __VERIFIER_nondet_int(void) { static int next_, given_[] = ${values}; return given_[next_++]; }\n`;
  return checkShownValues(observedExplanation(trace), text, { behind: given.length === 0 ? "" : stub });
}

describe("every value shown is the value of the run", () => {
  test.each(examples)("$name", async ({ name, text, given }) => {
    expect((await judged(name, text, given)).wrong).toEqual([]);
  });

  test("compares most values in programs with loops, lists and strings", async () => {
    let [shown, compared] = [0, 0];
    for (const { name, text } of faultyPrograms) {
      const verdict = await judged(`${name}.c`, text, []);
      expect(verdict.wrong, name).toEqual([]);
      shown += verdict.shown;
      compared += verdict.compared;
    }
    expect(compared).toBeGreaterThan(shown / 3);
  });

  test("finds a value that is not the run's", async () => {
    const text = `#include <assert.h>
int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += i;
  assert(sum == 7);
}
`;
    const trace = recordTrace(await loadCText("sum.c", text));
    const told = observedExplanation(trace);
    expect(checkShownValues(told, text).wrong).toEqual([]);
    const other = JSON.parse(JSON.stringify(told).replaceAll('"value":"6"', '"value":"5"'));
    expect(checkShownValues(other, text).wrong).toEqual(["line 5, execution 4: sum = 5: another value"]);
  });
});
