import { expect, test } from "vitest";
import { runExperiments } from "../../../src/analyses/counterfactual/experiments.ts";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { dependenceGraph } from "../../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../../src/interpreter/trace.ts";
import { changesOf } from "../../../src/languages/loadProject.ts";

/** Functions with one fault each, a call, and its right result. `fault`: a part of the faulty line. */
const programs = [
  {
    fault: "i < n",
    call: "factorial(5)",
    result: 120,
    text: `int factorial(int n) {
  int r = 1;
  for (int i = 1; i < n; i++)
    r *= i;
  return r;
}`,
  },
  {
    fault: "return lo; //",
    call: "clamp(15, 0, 10)",
    result: 10,
    text: `int clamp(int x, int lo, int hi) {
  if (x < lo)
    return lo;
  if (x > hi)
    return lo; //
  return x;
}`,
  },
  {
    fault: "a / b",
    call: "gcd(12, 18)",
    result: 6,
    text: `int gcd(int a, int b) {
  while (b != 0) {
    int t = a / b;
    a = b;
    b = t;
  }
  return a;
}`,
  },
  {
    fault: "n > 9",
    call: "digits(1234)",
    result: 4,
    text: `int digits(int n) {
  int count = 0;
  while (n > 9) {
    n /= 10;
    count++;
  }
  return count;
}`,
  },
  {
    fault: "amount > 100",
    call: "price(20, 5)",
    result: 90,
    text: `int discount(int amount) {
  if (amount > 100)
    return 10;
  return 0;
}
int price(int unit, int count) {
  int amount = unit * count;
  return amount - discount(amount);
}`,
  },
  {
    fault: "a = c",
    call: "fibonacci(7)",
    result: 13,
    text: `int fibonacci(int n) {
  int a = 0, b = 1;
  for (int i = 0; i < n; i++) {
    int c = a + b;
    a = c;
    b = c;
  }
  return a;
}`,
  },
  {
    fault: "m <= month",
    call: "day_of_year(3, 1)",
    result: 60,
    text: `static int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int day_of_year(int month, int day) {
  int n = day;
  for (int m = 1; m <= month; m++)
    n += lengths[m - 1];
  return n;
}`,
  },
  {
    fault: "return 1; //",
    call: "leap(1900)",
    result: 0,
    text: `int leap(int y) {
  if (y % 400 == 0)
    return 1;
  if (y % 100 == 0)
    return 1; //
  return y % 4 == 0;
}`,
  },
  {
    fault: "size < 3",
    call: "last()",
    result: 40,
    text: `static int items[4], size;
void push(int v) {
  if (size < 3)
    items[size++] = v;
}
int last(void) {
  for (int i = 1; i <= 4; i++)
    push(i * 10);
  return items[size - 1];
}`,
  },
  {
    fault: "low < high",
    call: "search(data, 5, 10)",
    result: 4,
    text: `static const int data[] = {2, 4, 6, 8, 10};
int search(const int *a, int n, int x) {
  int low = 0, high = n - 1;
  while (low < high) {
    int mid = (low + high) / 2;
    if (a[mid] == x)
      return mid;
    if (a[mid] < x)
      low = mid + 1;
    else
      high = mid - 1;
  }
  return -1;
}`,
  },
] as const;

const forms = {
  assertion: (call: string, result: number) => ({ main: `assert(${call} == ${result});`, expected: null }),
  output: (call: string, result: number) => ({
    main: `printf("%d\\n", ${call});`,
    expected: { stdout: new TextEncoder().encode(`${result}\n`), compares: "tokens" as const },
  }),
};

async function suspectsOf(form: keyof typeof forms, { text, call, result }: (typeof programs)[number]) {
  const { main, expected } = forms[form](call, result);
  const source = `#include <assert.h>\n#include <stdio.h>\n${text}\nint main(void) {\n  ${main}\n  return 0;\n}\n`;
  const program = await loadCText("form.c", source);
  const trace = recordTrace(program, expected === null ? {} : { expected });
  const { suspects } = runExperiments(dependenceGraph(trace), { changes: changesOf(program) });
  const lines = source.split("\n");
  return suspects.map(({ range, change }) => ({ text: lines[range.line - 1]?.trim(), edits: change?.change.edits }));
}

test.each(programs)("$call: the first suspect does not depend on the form of the question", async (given) => {
  const answers = [await suspectsOf("assertion", given), await suspectsOf("output", given)];
  const firsts = answers.map((suspects) => suspects.slice(0, 2).map(({ text }) => text));
  expect(firsts[1]).toEqual(firsts[0]);
  expect(answers[0]?.slice(0, 3).some(({ text }) => text?.includes(given.fault))).toBe(true);
  // The expected number itself is no repair.
  const written = answers.flat().flatMap(({ edits }) => edits?.map(({ text }) => text.trim()) ?? []);
  if (given.result > 1) expect(written).not.toContain(`${given.result}`);
});
