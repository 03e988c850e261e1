import { describe, expect, it } from "vitest";
import type { SuspectedLine } from "../../../../src/analyses/counterfactual/suspect.ts";
import { loadCText } from "../../../../src/c/cFrontEnd.ts";
import { recordTrace } from "../../../../src/interpreter/trace.ts";
import type { Row } from "../../../../src/render/chooseRows.ts";
import { nearestRows, whysOf } from "../../../support/toldWhys.ts";

async function told(text: string, lines = 30, maxSteps = 100_000) {
  const program = await loadCText("p.c", `#include <assert.h>\n#include <stdlib.h>\n${text}`);
  return nearestRows(whysOf(recordTrace(program, { maxSteps })), lines);
}

/** `4 x = y + 1; | y is 2 | x = 3`. */
function shown({ location, text, tests, values }: Row): string {
  const parts = values.map(({ role, text: name, value, was }) =>
    role === "written" ? `${name} = ${value}${was === undefined ? "" : `, was ${was}`}` : `${name} is ${value}`,
  );
  return [`${location.line} ${text}`, ...tests.map((test) => test.text), ...parts].join(" | ");
}

describe("a chain of whys", () => {
  it("begins at the values of the failing condition and goes on through branches that chose constants", async () => {
    const { failure, sections } = await told(`int limit = 5;
static int over(int a) {
  int r = 0;
  if (a >= limit)
    r = 1;
  return r;
}
int main(void) { int x = 5; assert(over(x) == 0); return 0; }`);
    expect(failure.condition!.operands.map(({ text, value }) => [text, value])).toEqual([["over(x)", "1"]]);
    expect(sections.map(({ question }) => question)).toEqual(["why over(x) is 1"]);
    expect(sections[0]!.rows.map(shown)).toEqual([
      "3 int limit = 5; | limit = 5",
      "10 int x = 5; | x = 5",
      "6 if (a >= limit) | 5 >= 5 is true",
      "7 r = 1; | r = 1",
      "8 return r; | r is 1",
    ]);
  });

  it("shows values as the source writes their kind", async () => {
    const { sections } = await told(`enum state { IDLE, BUSY };
static enum state state;
static char last;
static void feed(int c) { if (c == ',') state = BUSY; last = c; }
int main(void) { feed(','); assert(state == IDLE); return 0; }`);
    expect(sections[0]!.question).toBe("why state is BUSY");
    expect(sections[0]!.rows.map(shown)).toEqual([
      "7 feed(',');",
      "6 if (c == ',') | ',' == ',' is true",
      "6 state = BUSY; | state = BUSY",
    ]);
  });

  it("says how a block came to its end, with call paths", async () => {
    const { failure, sections } = await told(`struct node { int refs; };
static void drop(struct node *n) { if (--n->refs <= 0) free(n); }
int main(void) {
  struct node *a = malloc(sizeof *a);
  a->refs = 1;
  drop(a);
  drop(a);
  return 0;
}`);
    expect(
      failure.places.map(({ what, calls }) => [what, ...calls.map((call) => `${call.function}:${call.location.line}`)]),
    ).toEqual([
      ["freed", "drop:4", "main:8"],
      ["used", "drop:4", "main:9"],
      ["allocated", "main:6"],
    ]);
    expect(sections[0]!.question).toBe("why it was freed there");
    expect(sections[0]!.rows.map(shown)).toContain("7 a->refs = 1; | a->refs = 1");
  });

  it("shows repetition in one row", async () => {
    const { sections } = await told(`int main(void) {
  int sum = 0;
  for (int i = 0; i < 9; i++)
    sum += i;
  assert(sum == 0);
  return 0;
}`);
    const rows = sections[0]!.rows.filter(({ location }) => location.line === 6);
    expect(rows.map(({ rounds }) => rounds?.count ?? 1)).toEqual([9]);
    expect(rows[0]!.rounds!.changes[0]!.values).toEqual(["0", "1", "3", "6", "10", "15", "21", "28", "36"]);
  });

  it("calls a run endless only if its state repeats", async () => {
    const messageOf = async (loop: string) =>
      (await told(`${declared}int main(void) { ${loop} }`, 2, 2000)).failure.message;
    const declared = "#include <string.h>\n";
    const endless = /^does not end: the loop at line 4/;
    const unfinished = /^not finished after 2,\d{3} steps: the loop at line 4/;
    expect(await messageOf("int a = 1, b = 2; while (a != b + 5) { int c = a; a = b; b = c; } return 0;")).toMatch(
      endless,
    );
    expect(await messageOf('char s[] = "ab"; while (strlen(s) > 1) ; return 0;')).toMatch(endless);
    expect(await messageOf("unsigned n = 0; while (n < 4000000000u) n++; return 0;")).toMatch(unfinished);
    expect(await messageOf("unsigned n = 0, m = 1; for (;;) { n++; if (m == 0) return 0; }")).toMatch(unfinished);
    expect(await messageOf("while (rand() >= 0) ; return 0;")).toMatch(unfinished);
  });

  it("says which loop does not end, and what no longer changes", async () => {
    const { failure, sections } = await told(
      `static int find(const int *a, int n, int key) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (a[mid] < key) lo = mid;
    else hi = mid;
  }
  return lo;
}
int main(void) { int a[] = {1, 3, 5, 7}; return find(a, 4, 5); }`,
      10,
      2000,
    );
    expect(failure.message).toMatch(
      /^does not end: the loop at line 5 is in round \d+; lo and hi do not change any more$/,
    );
    expect(sections.flatMap(({ rows }) => rows).some(({ location }) => location.line === 5)).toBe(true);
  });

  it("keeps to its room and counts the rest", async () => {
    const { sections, cut } = await told(
      `static int f(int a) { int b = a + 1; int c = b + 1; int d = c + 1; int e = d + 1; return e; }
int main(void) { assert(f(1) == 0); return 0; }`,
      3,
    );
    expect(sections.flatMap(({ rows }) => rows)).toHaveLength(3);
    expect(cut).toBeGreaterThan(0);
  });

  it("names the field that went on pointing to a block which was freed", async () => {
    const { failure } = await told(`struct item { struct item *next; };
struct queue { struct item *head, *tail; };
static void push(struct queue *q, struct item *i) {
  i->next = NULL;
  if (q->head == NULL) q->head = i; else q->tail->next = i;
  q->tail = i;
}
static void drop_last(struct queue *q) {
  struct item *i = q->head;
  while (i->next->next != NULL) i = i->next;
  free(i->next);
  i->next = NULL;
}
int main(void) {
  struct queue q = { NULL, NULL };
  for (int i = 0; i < 3; i++) push(&q, malloc(sizeof(struct item)));
  drop_last(&q);
  push(&q, malloc(sizeof(struct item)));
  return 0;
}`);
    expect(failure.places.map(({ what, calls }) => [what, ...calls.map((call) => call.location.line)])).toEqual([
      ["freed", 13, 19],
      ["used", 7, 20],
      ["allocated", 18],
      ["kept by q->tail since", 8, 18],
    ]);
  });

  it("names no local variable that went on pointing to a block", async () => {
    const { failure } = await told(`int main(void) { int *p = malloc(4); *p = 1; free(p); return *p; }`);
    expect(failure.places.map(({ what }) => what)).toEqual(["freed", "used", "allocated"]);
  });

  it("names blocks by what distinguishes them", async () => {
    const list = `struct node { int v; struct node *next; };
static struct node *push(struct node *list, int v) {
  struct node *n = malloc(sizeof *n);
  n->v = v;
  n->next = list;
  return n;
}`;
    const one = await told(`${list}
int main(void) { struct node *a = push(push(NULL, 1), 2); assert(a->next == NULL); return 0; }`);
    expect(one.failure.condition!.operands.map(({ value }) => value)).toEqual(["the 1st node"]);
    const two = await told(`${list}
int main(void) {
  struct node *first = malloc(sizeof *first);
  first->next = NULL;
  struct node *a = push(push(first, 1), 2);
  assert(a->next->next == NULL);
  a = a->next;
  return 0;
}`);
    expect(two.failure.condition!.operands.map(({ value }) => value)).toEqual(["the node of main"]);
    expect(two.sections.flatMap(({ rows }) => rows.map(shown))).toContainEqual(
      expect.stringContaining("the 2nd node of push"),
    );
    const same = await told(`int main(void) {
  int *a = malloc(4);
  int *b = malloc(4);
  assert(a == b);
  return 0;
}`);
    expect(same.failure.condition!.operands.map(({ value }) => value)).toEqual([
      "the block of main:4",
      "the block of main:5",
    ]);
  });

  it("goes through a hundred thousand rounds of a loop as through a few", async () => {
    const program = await loadCText(
      "p.c",
      "int main(void) { int a = 0, b = 5; while (a != b) { if (a > b) a = a - b; else b = b - a; } return 0; }",
    );
    const explained = whysOf(recordTrace(program, { maxSteps: 200_000 }), (why) => {
      const farthest = why.paths.steps().at(-1)!;
      return [{ step: farthest, hasWay: true, suspect: null as unknown as SuspectedLine, statement: "" }];
    });
    const { sections } = nearestRows(explained, 30);
    expect(explained.graph.nodes.length).toBeLessThan(1000);
    expect(explained.graph.left).toBeGreaterThan(20_000);
    const rows = sections.flatMap((section) => section.rows);
    expect(Math.max(...rows.map(({ rounds }) => rounds?.count ?? 0))).toBeGreaterThan(20_000);
    for (const { rounds } of rows) {
      for (const { values } of rounds?.changes ?? []) expect(values.length).toBeLessThan(1000);
    }
  });

  it("says where unwritten bytes come from", async () => {
    const { failure, sections } = await told(`#include <string.h>
static int *grown(int *old, int n) {
  int *more = malloc(2 * n * sizeof *more);
  memcpy(more, old, (n - 1) * sizeof *more);
  free(old);
  return more;
}
int main(void) {
  int *a = malloc(2 * sizeof *a);
  a[0] = 1;
  a[1] = 2;
  a = grown(a, 2);
  return a[1] == 2 ? 0 : 1;
}`);
    expect(failure.places.map(({ what, calls }) => [what, calls[0]!.location.line])).toEqual([["allocated", 5]]);
    expect(sections[0]!.question).toBe("why a[1] has no value");
    expect(sections[0]!.rows.map(({ location }) => location.line)).toContain(5);
  });
});
