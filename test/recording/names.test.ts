import { describe, expect, it } from "vitest";
import { createNameTable } from "../../src/recording/names.ts";
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
  const names = createNameTable(open);
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
