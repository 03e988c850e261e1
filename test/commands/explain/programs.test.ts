import { describe, expect, it } from "vitest";
import { loadC, loadCText } from "../../../src/c/cFrontEnd.ts";
import { provedExamples } from "../../support/provedExamples.ts";
import { provedReport as explain } from "../../support/provedReport.ts";
import type { FlatExplained } from "../../support/reports/flatReport.ts";

async function explained(text: string, inputs: readonly bigint[] = []): Promise<FlatExplained> {
  return explain(await loadCText("program.c", text), { run: { inputs }, shrink: false });
}

function statements(report: FlatExplained): string[] {
  return report.steps.flatMap((step) => (step.kind === "statement" && step.role !== "way" ? [step.text] : []));
}

function inRole(report: FlatExplained, role: "between" | "way"): string[] {
  return report.steps.flatMap((step) => (step.kind === "statement" && step.role === role ? [step.text] : []));
}

describe("programs with loops that fold", () => {
  /** The statement that is to blame. */
  const blamed: Readonly<Record<string, string>> = {
    client: "err = 1",
    server: "err = 1",
    token_ring: "err = 1",
    retry_driver: "completed = 1",
    status_driver: "status = hand_on(nt_status)",
  };
  const models = provedExamples.filter(({ name }) => name in blamed);

  it.each(models)("$name shows the cause in at most 8 statements", async ({ name, path, inputs }) => {
    const report = explain(await loadC(path), { run: { inputs }, shrink: false });
    expect(statements(report)).toContain(blamed[name]);
    expect(report.explanation.statements).toBeLessThanOrEqual(8);
    expect(report.proof.checked).toBe(true);
  });
});

describe("memory", () => {
  it("explains a ring buffer that overwrites an element that is still needed", async () => {
    const report = await explained(`
#include <assert.h>
struct ring { int data[2]; int head, tail, count; };
static void push(struct ring *r, int v) { r->data[r->tail] = v; r->tail = (r->tail + 1) % 2; r->count++; }
static int pop(struct ring *r) { int v = r->data[r->head]; r->head = (r->head + 1) % 2; r->count--; return v; }
int main(void) {
  struct ring r = {{0}, 0, 0, 0};
  for (int i = 0; i < 3; i++) push(&r, i * 10);
  int first = pop(&r);
  assert(first == 0);
  return 0;
}`);
    expect(report.proof.checked).toBe(true);
    expect(statements(report).filter((text) => text.startsWith("r->tail"))).toHaveLength(2);
    expect(report.steps.some(({ kind }) => kind === "loop")).toBe(true);
  });

  it("explains how a pointer walked out of its array", async () => {
    const report = await explained(`
static int sum(const int *p, int n) {
  int s = 0;
  const int *end = p + n;
  while (p <= end) { s += *p; p++; }
  return s;
}
int main(void) {
  int a[2] = {1, 2};
  return sum(a, 2) == 3;
}`);
    expect(statements(report)).toEqual(["p = p + 1", "p = p + 1"]);
    expect(report.steps.at(-1)).toMatchObject({ kind: "target", formula: { text: "p - a >= 2" } });
    expect(report.proof.checked).toBe(true);
  });

  it("explains a block that is too small by the size in its allocation", async () => {
    const report = await explained(`
#include <stdlib.h>
int main(void) {
  int n = 5;
  char *b = malloc(n);
  b[n] = 0;
  free(b);
  return 0;
}`);
    expect(statements(report)).toEqual(["b = malloc(n)"]);
    expect(report.proof.checked).toBe(true);
  });
});

describe("a library function that goes past the end", () => {
  it("is explained by the allocation of a block, or the declaration of an array", async () => {
    const block = await explained(`
#include <stdlib.h>
#include <string.h>
int main(void) {
  const char *word = "fold";
  char *copy = malloc(strlen(word));
  strcpy(copy, word);
  return copy[0];
}`);
    expect(statements(block)).toEqual(["copy = malloc(strlen(word))"]);
    expect(block.steps.at(-1)).toMatchObject({ kind: "target", formula: { text: "overrun(copy)" } });
    expect(block.proof.checked).toBe(true);
    const array = await explained(`
#include <string.h>
int main(void) { char word[4]; strcpy(word, "fold"); return word[0]; }`);
    expect(statements(array)).toEqual(["char word[4]"]);
  });
});

describe("variables without a value", () => {
  it("explains a variable whose declaration was jumped over, and an array read in another function", async () => {
    const jumped = await explained(`
int main(void) {
  int state = 1;
  if (state == 1) goto inside;
  {
    int i = 0;
    while (i < 3) {
      state = 2;
  inside:
      i++;
    }
  }
  return state;
}`);
    expect(jumped.steps.at(-1)).toMatchObject({ kind: "target", formula: { text: "uninitialised(i)" } });
    expect(statements(jumped)).toContain("[state == 1]");
    const passed = await explained(`
static int first(const int *cells) { return cells[0] + 1; }
int main(void) { int cells[4]; cells[1] = 2; return first(cells); }`);
    expect(statements(passed)).toEqual(["int cells[4]"]);
    expect([jumped, passed].map(({ proof }) => proof.checked)).toEqual([true, true]);
  });

  it("names the nearest of many branches that skipped a value", async () => {
    const cases = Array.from({ length: 12 }, (_, i) => `if (kind == ${i + 1}) fee = ${i};`).join("\n  ");
    const report = await explained(`int main(void) {\n  int fee;\n  int kind = 50;\n  ${cases}\n  return fee;\n}`);
    expect(statements(report).filter((text) => text.startsWith("["))).toEqual(
      [7, 8, 9, 10, 11, 12].map((i) => `[kind != ${i}]`),
    );
  });

  it("explains an array of length 0 by its length", async () => {
    const report = await explained("int main(void) { int n = 3; int m = n - 3; int cells[m]; return cells != 0; }");
    expect(report.steps.at(-1)).toMatchObject({ kind: "target", formula: { text: "m <= 0" } });
    expect(statements(report)).toContain("m = n - 3");
  });

  it("reports a failure without a formula like any other", async () => {
    const report = await explained(`
#include <string.h>
char word[4];
int main(void) { memcpy(word, "folded", 7); return 0; }`);
    expect(report).toMatchObject({ status: "unknown", steps: [], outcome: { kind: "undefined-behaviour" } });
    expect(report.unknowns[0]!.reason).toContain("cannot be proved yet");
  });
});

describe("rows that no fact needs", () => {
  it("shows statements that matter although the fact holds again after them", async () => {
    const report = await explained(`
#include <assert.h>
int main(void) {
  int cells[3] = {7, 7, 7};
  int count = 1;
  int end = count; /* wrong: count - 1 */
  cells[end] = 0;
  assert(cells[count - 1] == 0);
  return 0;
}`);
    expect(inRole(report, "between")).toEqual(["end = count", "cells[end] = 0"]);
    expect(report.proof.checked).toBe(true);
  });

  it("shows a condition that skipped another value, wherever it stands in a chain", async () => {
    const report = await explained(`
#include <assert.h>
static int rate(int weight) {
  int price = 0;
  if (weight > 500) price = 9;
  else if (weight > 100) price = 5;
  else if (weight >= 0) price = 2;
  return price;
}
int main(void) {
  int price = rate(500);
  assert(price == 9);
  return 0;
}`);
    expect(inRole(report, "way")).toEqual(["[weight <= 500]", "[weight > 100]"]);
    expect(report.explanation.statements).toBe(2);
  });

  it("shows the last outcome of a branch in a loop", async () => {
    const report = await explained(`
#include <assert.h>
int main(void) {
  int level = 0, i = 0;
  while (i < 2) {
    if (i == 0) i = 1;
    else { level = 5; i = 2; }
  }
  assert(level == 0);
  return 0;
}`);
    expect(inRole(report, "way")).toEqual(["[i != 0]"]);
  });

  it("shows a condition that skipped an assignment, but not early returns and loops", async () => {
    const report = await explained(`
#include <assert.h>
int main(void) {
  int flags = 2, allowed = 0, rounds = 0;
  if (flags < 0) return 1;
  while (rounds < 2) rounds++;
  if (flags & 2 == 2) allowed = 1;
  assert(allowed);
  return 0;
}`);
    expect(inRole(report, "way")).toEqual(["[!(flags & 2 == 2)]"]);
  });
});

describe("the checker's own formula", () => {
  it("has the initial values of statics in the same order", async () => {
    const report = await explained(`
#include <assert.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static int count;
static void push(int value) {
  struct node *added = malloc(sizeof *added);
  added->value = value;
  added->next = head;
  head = added;
  count++;
}
int main(void) {
  push(1);
  push(2);
  count++;
  int length = 0;
  for (struct node *p = head; p; p = p->next) length++;
  assert(length == count);
  return 0;
}`);
    expect(report.proof).toMatchObject({ checked: true, failures: [] });
  });
});

describe("code that the logic does not compute", () => {
  it("gives library calls the effect that they had on this run", async () => {
    const report = await explained(`
#include <assert.h>
#include <string.h>
int main(void) {
  char name[8];
  strcpy(name, "left");
  int side = strcmp(name, "right") == 0;
  assert(side == 1);
  return 0;
}`);
    expect(statements(report)).toContain('side = strcmp(name, "right") == 0');
    expect(report).toMatchObject({ status: "ok", notes: [], proof: { checked: true } });
  });

  it("limits a bit-field to its bits, also after a folded loop", async () => {
    const report = await explained(`
#include <assert.h>
struct state { unsigned ready : 1; unsigned count : 2; };
int main(void) {
  struct state s = {0, 0};
  for (int i = 0; i < 4; i++) s.count++;
  s.ready = s.count == 4;
  assert(s.ready);
  return 0;
}`);
    expect(statements(report)).toEqual(["s.ready = s.count == 4"]);
    expect(report.proof.checked).toBe(true);
  });

  it("says that an explanation without statements is about where pointers point", async () => {
    const report = await explained(`
#include <assert.h>
struct node { struct node *next; };
int main(void) {
  struct node a, b;
  a.next = &b;
  b.next = &a;
  assert(a.next == &a);
  return 0;
}`);
    expect(report.explanation).toMatchObject({ statements: 0, facts: 0 });
    expect(report.notes.map(({ message }) => message)).toEqual([
      "this follows from which objects the pointers point to, which is taken from the run and not explained",
    ]);
  });

  it("computes floating point, and proves facts about it", async () => {
    const report = await explained(`
#include <assert.h>
static double half(int x) { return x / 2; }
int main(void) {
  double h = half(5), limit = 2.25;
  assert(h > limit);
  return 0;
}`);
    expect(report.status).toBe("ok");
    expect(report.proof.checked).toBe(true);
    const facts = report.steps.flatMap((step) => (step.kind === "fact" ? step.formulas.map(({ text }) => text) : []));
    expect(facts).toContain("h == 2.0");
  });

  it("says in one line that there is no explanation, and in notes what was not computed", async () => {
    const report = await explained(`
#include <assert.h>
static float half(long x) { return x / 2; }
int main(void) {
  float f = half(5);
  assert(f == 2.5f);
  return 0;
}`);
    expect(report.status).toBe("unknown");
    expect(report.notes.map(({ message }) => message)).toContain(
      "a conversion to or from floating point is taken as unknown",
    );
    expect(report.unknowns).toHaveLength(1);
  });
});
