import { describe, expect, it } from "vitest";
import { nameTableOf, variablesAt } from "../../src/recording/names.ts";
import type { OpenRecording } from "../../src/recording/openRecording.ts";
import { recordedC, stepAt } from "../support/recorded.ts";

const program = `#include <stdlib.h>
struct node { int value; struct node *next; };
static int table[3] = {5, 6, 7};
static int calls = 0;
static struct node *made(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = NULL;
  calls++;
  return n;
}
static int depth(int n) {
  int own = n;
  if (n == 0)
    return 0;
  int below = depth(n - 1);
  return below + own;
}
int main(void) {
  struct node *list = made(1);
  list->next = made(2);
  struct node *p = list;
  p->value = 10;
  int first = p->value;
  p = p->next;
  int second = p->value;
  table[1] = first + second;
  int deep = depth(2);
  int done = 1;
  return calls + deep + done - 6;
}
`;

async function asking(): Promise<(name: string, text: string, visit?: number) => string | null> {
  const { open } = await recordedC(program);
  const names = nameTableOf(open);
  return (name, text, visit = 1) => {
    const step = stepAt(open, text, visit);
    return names.valueOf(name, activationAt(open, step), step)?.value ?? null;
  };
}

function activationAt({ recording }: OpenRecording, step: number): number {
  return recording.steps.activation[step] ?? 0;
}

describe("values by name", () => {
  it("are those of the call, of the file, and of arrays", async () => {
    const value = await asking();
    expect(value("calls", "calls++", 2)).toBe("2");
    expect(value("value", "n->next = NULL", 2)).toBe("2");
    expect(value("table[1]", "int done")).toBe("12");
    expect(value("own", "return below + own", 1)).toBe("1");
    expect(value("own", "return below + own", 2)).toBe("2");
    expect(value("own", "return 0", 1)).toBe("0");
  });

  it("are unknown where nothing wrote or read them, and never those of another function", async () => {
    const value = await asking();
    expect(value("own", "int done")).toBe(null);
    expect(value("n->value", "int done")).toBe(null);
    expect(value("first", "p->value = 10")).toBe(null);
    expect(value("nothing", "int done")).toBe(null);
  });

  it("are those of the object that a pointer points to now", async () => {
    const value = await asking();
    expect(value("p->value", "int first")).toBe("10");
    expect(value("p->value", "p = p->next")).toBe(null);
    expect(value("p->value", "int second")).toBe("2");
    expect(value("list->value", "int first")).toBe(null);
  });
});

describe("variables of a call", () => {
  it("are no names that mean another object now", async () => {
    const { open } = await recordedC(program);
    const shown = (text: string) =>
      Object.fromEntries(variablesAt(open, stepAt(open, text)).map(({ name, value }) => [name, value]));
    expect(shown("int first")).toMatchObject({ "p->value": "10", first: "10" });
    expect(shown("p = p->next")).not.toHaveProperty("p->value");
    expect(shown("int done")).toMatchObject({ "p->value": "2", second: "2", "table[1]": "12" });
  });

  it("are called as in this call, whoever wrote them first", async () => {
    const { open } = await recordedC(`struct pair { int left, right; };
static int shared;
static void set(int *p, int value) { *p = value; }
static void init(struct pair *q) { q->left = 1; q->right = 2; }
static void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 10 * i; }
int main(void) {
  int x, table[3];
  struct pair both;
  set(&x, 3);
  set(&shared, 4);
  init(&both);
  fill(table, 3);
  both.right = x + table[1];
  return both.left + shared;
}
`);
    const shown = (text: string) => {
      const found = variablesAt(open, stepAt(open, text));
      return found.filter(({ value }) => /^\d+$/.test(value)).map(({ name, value }) => `${name} = ${value}`);
    };
    expect(shown("return both.left")).toEqual([
      "both.left = 1",
      "both.right = 13",
      "table[0] = 0",
      "table[1] = 10",
      "table[2] = 20",
      "x = 3",
    ]);
    expect(shown("*p = value")).toEqual(["*p = 3", "value = 3"]);
    expect(shown("q->right = 2")).toEqual(["q->left = 1", "q->right = 2"]);
  });

  it("have the values that their names have", async () => {
    const { open } = await recordedC(program);
    const names = nameTableOf(open);
    let compared = 0;
    for (let step = 0; step < open.length; step++) {
      const activation = activationAt(open, step);
      for (const { name, value, cell } of names.variablesOf(activation, step)) {
        expect({ step, name, value: names.valueOf(name, activation, step)?.value }).toEqual({ step, name, value });
        if (cell !== undefined) expect(names.cellOf(name, activation, step)).toBe(cell);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(100);
  });
});
