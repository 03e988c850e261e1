import { beforeAll, describe, expect, it } from "vitest";
import { callsOf } from "../../src/recording/callDetails.ts";
import { historyOf, nextWrite, previousWrite, readersOf } from "../../src/recording/history.ts";
import { momentAt, type NamedValue, valuesAt, valuesOf } from "../../src/recording/moment.ts";
import { variablesAt } from "../../src/recording/names.ts";
import { loopsAround, nearestOnLine, startOfRound, stepTo } from "../../src/recording/navigate.ts";
import type { OpenRecording } from "../../src/recording/openRecording.ts";
import { describeStep, reasonsOf, reasonsOfExecution, skipCopies, valueText } from "../../src/recording/reasons.ts";
import { whyNotLine } from "../../src/recording/whyNot.ts";
import { recordedC, stepAt, textAt } from "../support/recorded.ts";

const program = `#include <assert.h>
static int limit = 2;
static int doubled(int n) {
  int twice = n * 2;
  return twice;
}
static int unused(int n) {
  return n + 1;
}
int main(void) {
  int a[3] = {0, 0, 0};
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int copy = doubled(i);
    if (copy > limit) {
      sum += 100;
    } else {
      sum += copy;
    }
    a[i] = sum;
  }
  if (sum < 0) {
    sum = unused(sum);
  }
  if (sum > 50)
    return 0;
  assert(sum == 7);
}
`;

const lineOf = (text: string) => program.split("\n").findIndex((line) => line.includes(text)) + 1;

let open: OpenRecording;
beforeAll(async () => {
  ({ open } = await recordedC(program));
});

const reasonTexts = (step: number) =>
  reasonsOf(open, step).map(
    ({ kind, name, value, step: from }) =>
      `${[kind, name, value].filter((part) => part !== "").join(" ")} <- ${textAt(open, from)}`,
  );

describe("a condition", () => {
  it("has the outcome of the text that the source has, also with `!`", async () => {
    const run = await recordedC(`static int is(int n) { return n; }
int main(void) {
  int seen = 0;
  if (!is(0)) seen++;
  while (!(seen > 3) && !!is(1)) seen++;
  if (! ( seen < 2 || is(5) )) return 1;
  return seen;
}
`);
    const tested = (text: string) =>
      valuesOf(run.open, run.recording.steps.execution[stepAt(run.open, text)] ?? -1)
        .filter(({ kind }) => kind === "tested")
        .map(({ name, value }) => `${name} is ${value}`);
    expect(tested("if (!is")).toEqual(["!is(0) is true"]);
    expect(tested("while")).toEqual(["!(seen > 3) is true", "!!is(1) is true"]);
    expect(tested("if (! (")).toEqual(["seen < 2 is false", "is(5) is true"]);
  });
});

describe("a moment", () => {
  it("has the active calls", () => {
    const step = stepAt(open, "int twice", 2);
    const { functions, statements } = open.recording;
    expect(
      momentAt(open, step).stack.map(({ function: fn, statement }) => [functions[fn], statements[statement]?.text]),
    ).toEqual([
      ["doubled", "int twice = n * 2;"],
      ["main", "int copy = doubled(i);"],
    ]);
  });

  it("has the values of each line up to there, and none of later ones", () => {
    const step = stepAt(open, "sum += copy", 2);
    const shown = [...valuesAt(open, step)].map(([statement, values]) => [
      open.recording.statements[statement]?.text,
      values.map(({ name, value }) => `${name} ${value}`),
    ]);
    expect(Object.fromEntries(shown)).toMatchObject({
      "int copy = doubled(i);": ["copy 2"],
      "if (copy > limit)": ["copy 2", "limit 2", "copy > limit false"],
      "sum += copy;": ["sum 2"],
      "a[i] = sum;": ["a[0] 0"],
    });
  });

  it("does not show the result of a call that has not returned", () => {
    const step = stepAt(open, "int twice", 2);
    const caller = momentAt(open, step).stack[1]?.step ?? 0;
    const values = [...valuesAt(open, caller)].flatMap(([, each]) => each);
    const written = values.filter(({ kind, name }) => kind === "written" && name === "copy");
    expect(written.map(({ value }) => value)).toEqual([]);
  });

  it("has the variables of the function", () => {
    const variables = variablesAt(open, stepAt(open, "a[i] = sum", 3));
    const shown = variables.map(({ name, value }) => `${name} = ${value}`);
    expect(shown).toEqual(
      expect.arrayContaining(["a[0] = 0", "a[1] = 2", "a[2] = 102", "copy = 4", "i = 2", "sum = 102"]),
    );
  });
});

describe("reasons", () => {
  it("are what a step read, and the condition that caused it", () => {
    expect(reasonTexts(stepAt(open, "sum += 100"))).toEqual([
      "data sum 2 <- sum += copy;",
      "control <- if (copy > limit)",
    ]);
  });

  it("of an element are its value and its place", () => {
    expect(reasonTexts(stepAt(open, "a[i] = sum", 2))).toEqual([
      "identity a a <- ",
      "identity i 1 <- for (int i = 0; i < 3; i++)",
      "data sum 2 <- sum += copy;",
      "control <- for (int i = 0; i < 3; i++)",
    ]);
  });

  it("lead from a result to the function that made it", () => {
    const reasons = reasonsOfExecution(open, open.recording.steps.execution[stepAt(open, "if (copy > limit)", 3)] ?? 0);
    expect(reasons.map(({ name, value }) => `${name} ${value}`)).toContain("copy 4");
    expect(textAt(open, skipCopies(open, reasons[0]?.step ?? 0))).toBe("int twice = n * 2;");
  });

  it("describe a step with what it read and wrote", () => {
    const { read, wrote } = describeStep(open, stepAt(open, "int twice", 3));
    expect(read.map(({ name, value }) => `${name} ${value}`)).toEqual(["n 2"]);
    expect(wrote.map(({ name, value }) => `${name} ${value}`)).toEqual(["twice 4"]);
  });
});

describe("the history of a cell", () => {
  it("has all its values in order", () => {
    const cell = open.recording.steps.cell[stepAt(open, "sum += 100")] ?? 0;
    const history = historyOf(open, cell);
    expect(history.name).toBe("sum");
    expect(history.points.map(({ value }) => value)).toEqual(["0", "0", "2", "102"]);
    expect(history.writes).toBe(4);
  });

  it("leads to the write before and behind a step", () => {
    const step = stepAt(open, "sum += copy", 2);
    const cell = open.recording.steps.cell[step] ?? 0;
    expect(textAt(open, previousWrite(open, cell, step) ?? -1)).toBe("sum += copy;");
    expect(textAt(open, nextWrite(open, cell, step) ?? -1)).toBe("sum += 100;");
    expect(nextWrite(open, cell, open.length)).toBeNull();
  });

  it("names who read a value", () => {
    const readers = readersOf(open, stepAt(open, "int sum"));
    expect(readers.map(({ step }) => textAt(open, step))).toEqual(["sum += copy;"]);
  });
});

describe("steps of a debugger", () => {
  it("go into a call, over it, and out of it", () => {
    const call = stepAt(open, "int sum");
    const head = stepTo(open, call, "over");
    expect(textAt(open, head)).toMatch(/^for/);
    const inside = stepTo(open, stepTo(open, head, "into"), "into");
    expect(textAt(open, inside)).toBe("int twice = n * 2;");
    expect(textAt(open, stepTo(open, stepTo(open, head, "into"), "over"))).toBe("if (copy > limit)");
    expect(textAt(open, stepTo(open, inside, "out"))).toBe("if (copy > limit)");
    expect(textAt(open, stepTo(open, inside, "outBack"))).toBe("int copy = doubled(i);");
  });

  it("go back the way they came", () => {
    let step = open.length - 1;
    const back: string[] = [];
    for (let at = stepTo(open, step, "back"); at !== step; at = stepTo(open, step, "back")) {
      step = at;
      back.push(textAt(open, step));
    }
    expect(back.at(-1)).toBe("static int limit = 2;");
    const forward: string[] = [];
    for (let at = stepTo(open, step, "into"); at !== step; at = stepTo(open, step, "into")) {
      step = at;
      forward.push(textAt(open, step));
    }
    expect(forward.slice(0, -1)).toEqual(back.toReversed().slice(1));
  });

  it("know the rounds of the loop around them", () => {
    const [loop] = loopsAround(open, stepAt(open, "sum += copy", 2));
    expect(loop).toMatchObject({ count: 4, current: 1 });
    const third = startOfRound(open, loop?.statement ?? -1, open.length - 1, 2);
    expect(textAt(open, stepTo(open, third, "over"))).toBe("int copy = doubled(i);");
    expect(loopsAround(open, third)[0]).toMatchObject({ current: 2 });
  });

  it("find the execution of a line that is nearest", () => {
    const near = nearestOnLine(open, 0, lineOf("a[i] = sum"), stepAt(open, "sum += copy", 2));
    expect(valueText(open, near ?? -1)).toBe("0");
    expect(nearestOnLine(open, 0, lineOf("unused(sum)"), 0)).toBeNull();
  });
});

describe("what a variable holds", () => {
  const variablesOf = async (text: string, statement: string, stdin = "") => {
    const run = await recordedC(text, { stdin: Buffer.from(stdin) });
    return variablesAt(run.open, stepAt(run.open, statement)).map(({ name, value }) => `${name} = ${value}`);
  };

  it("is what another function wrote through a pointer", async () => {
    const text = `static void set(int *place) { *place = 7; }
int main(void) {
  int a[2] = {1, 2};
  set(&a[1]);
  return a[0];
}
`;
    expect(await variablesOf(text, "return a[0]")).toEqual(["a[0] = 1", "a[1] = 7"]);
    expect(await variablesOf(text, "int a[2]")).toEqual(["a[0] = 1", "a[1] = 2"]);
  });

  it("is what the library read into it", async () => {
    const text = `#include <stdio.h>
int main(void) {
  int n[1] = {5};
  scanf("%d", &n[0]);
  return n[0];
}
`;
    expect(await variablesOf(text, "int n[1]", "42")).toEqual(["n[0] = 5"]);
    expect(await variablesOf(text, "return n[0]", "42")).toEqual(["n[0] = 42"]);
  });

  it("is what the library read into a variable that had no value, and into elements", async () => {
    const text = `#include <stdio.h>
int main(void) {
  int n, a[2], *last = &a[1];
  char letter, word[8];
  scanf("%d %d %d", &n, &a[0], last);
  scanf(" %c %7s", &letter, word);
  if (a[0] > n)
    return 1;
  return 0;
}
`;
    const run = await recordedC(text, { stdin: Buffer.from("3 4 5 x word") });
    const values = [...valuesAt(run.open, stepAt(run.open, "return 1"))].map(([statement, shown]) => [
      run.recording.statements[statement]?.at[0],
      shown.map(({ kind, name, value }) => `${kind} ${name} ${value}`),
    ]);
    expect(Object.fromEntries(values)).toMatchObject({
      5: ["written n 3", "written a[0] 4", "written *last 5"],
      7: ["read a[0] 4", "read n 3", "tested a[0] > n true"],
    });
    const [value] = [...valuesAt(run.open, stepAt(run.open, "return 1"))].flatMap(([, shown]) =>
      shown.filter(({ kind, name }) => kind === "read" && name === "n"),
    );
    expect(historyOf(run.open, value?.cell ?? 0)).toMatchObject({ name: "n", writes: 1, points: [{ value: "3" }] });
    expect(variablesAt(run.open, stepAt(run.open, "return 1")).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["n", "a[0]"]),
    );
  });

  it("is not told where the library wrote bytes that nobody names", async () => {
    const text = `#include <string.h>
int main(void) {
  int a[2] = {5, 6};
  memset(a, 0, sizeof a);
  return a[0] + a[1];
}
`;
    expect(await variablesOf(text, "return a[0]")).toEqual([]);
  });

  it("is what a copied struct held", async () => {
    const text = `struct point { int x, y; };
int main(void) {
  struct point p = {1, 2}, q = {3, 4};
  struct point *at = &q;
  *at = p;
  return q.x + q.y;
}
`;
    expect(await variablesOf(text, "return q.x")).toEqual(
      expect.arrayContaining(["p.x = 1", "p.y = 2", "q.x = 1", "q.y = 2"]),
    );
  });

  it("is known of elements that a long call wrote at its begin", async () => {
    const text = `int main(void) {
  int a[40], sum = 0;
  for (int i = 0; i < 40; i++) a[i] = i + 7;
  for (int i = 0; i < 3000; i++) sum += i % 3;
  return sum;
}
`;
    const variables = await variablesOf(text, "return sum");
    expect(variables).toEqual(expect.arrayContaining(["a[0] = 7", "a[1] = 8", "a[39] = 46", "sum = 3000"]));
  });

  it("is a parameter's value, until the function changes it", async () => {
    const text = `static int twice(int n) {
  int before = n;
  n = n * 2;
  return n + before;
}
int main(void) { return twice(4); }
`;
    expect(await variablesOf(text, "int before")).toEqual(["before = 4", "n = 4"]);
    expect(await variablesOf(text, "n = n * 2")).toEqual(["before = 4", "n = 8"]);
  });
});

describe("a call", () => {
  it("has arguments, a result and effects", async () => {
    const run = await recordedC(`static int total;
static int add(int *sum, int n) {
  int local = n + 1;
  *sum += local;
  total = local;
  return local;
}
int main(void) {
  int sum = 1;
  int last = add(&sum, 3);
  return sum + total + last;
}
`);
    const call = [...run.open.stepsOf(run.open.recording.steps.execution[stepAt(run.open, "int last")] ?? 0)];
    const [details] = call.flatMap((step) => callsOf(run.open, step));
    const shown = (values: readonly NamedValue[] = []) => values.map(({ name, value }) => `${name} ${value}`);
    expect(details?.function).toBe("add");
    expect(shown(details?.arguments)).toEqual(["sum &sum", "n 3"]);
    expect(details?.result?.value).toBe("4");
    expect(shown(details?.effects)).toEqual(["sum 5", "total 4"]);
  });
});

describe("a line that was not executed", () => {
  const whyNot = (text: string) => whyNotLine(open, 0, lineOf(text), open.length - 1);

  it("was passed by its condition", () => {
    const answer = whyNot("sum = unused(sum)");
    expect(answer.kind).toBe("condition");
    expect("step" in answer && textAt(open, answer.step)).toBe("if (sum < 0)");
    expect("step" in answer && valueText(open, answer.step)).toBe("false");
  });

  it("comes behind a statement that left the function", () => {
    const answer = whyNot("assert(sum == 7)");
    expect(answer.kind).toBe("left");
    expect("step" in answer && textAt(open, answer.step)).toBe("return 0;");
  });

  it("is in a function that was never called, and names its callers", () => {
    const answer = whyNot("return n + 1");
    expect(answer).toMatchObject({ kind: "neverCalled" });
    const callers = answer.kind === "neverCalled" ? answer.callers : [];
    expect(callers.map((each) => open.recording.statements[each]?.text)).toEqual(["sum = unused(sum);"]);
  });

  it("may be executed after all, or have no statement", () => {
    expect(whyNot("sum += 100")).toMatchObject({ kind: "executed", times: 1 });
    expect(whyNot("} else {")).toEqual({ kind: "noStatement" });
  });
});
