import { expect, test } from "vitest";
import { TracefoldError } from "../../../src/base/errors.ts";
import { cChanges } from "../../../src/c/cFrontEnd.ts";
import { applyEdits } from "../../../src/changes/change.ts";
import { projectOf } from "../../../src/frontEnd/project.ts";
import { createSwitchedRuns } from "../../../src/interpreter/rerun/switchedRuns.ts";
import { runProgram } from "../../../src/interpreter/run.ts";

const text = `#include <stdio.h>
#define LIMIT 5
typedef struct { int key; double weight; } item;
static int count = 0;
static int largest(const item *items, int n) {
  int best = 0;
  for (int i = 1; i < n; i++) {
    if (items[i].weight > items[best].weight && items[i].key >= 0)
      best = i;
    else if (items[i].key < 0) continue;
    count++;
  }
  return best;
}
int main(void) {
  item items[LIMIT];
  int n = 0, total = 0;
  while (n < LIMIT && scanf("%d %lf", &items[n].key, &items[n].weight) == 2) {
    total += items[n].key;
    n++;
  }
  switch (n % 3) {
    case 0: total = total * 2; break;
    case 1: total--;
    default: total += LIMIT;
  }
  do { total = total > 100 ? total / 2 : total + 1; } while (total % 7 != 0);
  printf("%d %d %d\\n", largest(items, n), total, count);
  return 0;
}
`;
const frontEnd = cChanges({ preprocess: "builtin" });
const project = projectOf([{ path: "items.c", text }]);
const stdin = new TextEncoder().encode("3 1.5 -4 2.5 7 0.5 11 3.25");
const changes = frontEnd.propose(project, { executed: () => true });

/** How a run ends, with what it printed. */
function ending(run: () => { end: string; printed: string }): string {
  const { end, printed } = run();
  return `${end}: ${printed}`;
}

test("proposes changes of all stages, most of which compile", () => {
  const { selections, unswitched } = frontEnd.loadSwitched(project, changes);
  expect(changes.length).toBeGreaterThan(2_000);
  const switched = selections.filter((each) => each !== null).length;
  expect(switched + unswitched.length).toBeGreaterThan(0.9 * changes.length);
  // Insertions need no program of their own, not even before declarations.
  const inserted = unswitched.filter((i) => changes[i]?.kind.startsWith("inserted"));
  expect(inserted.length).toBeLessThan(0.01 * changes.length);
});

test("runs a switched change like a program with the changed text", () => {
  const some = changes.filter((_, i) => i % 23 === 0);
  const { program, selections } = frontEnd.loadSwitched(project, some);
  const runs = createSwitchedRuns(program, {});
  let compared = 0;
  for (const [i, change] of some.entries()) {
    const versions = selections[i];
    if (versions == null) continue;
    const expected = ending(() => {
      const own = frontEnd.load({
        ...project,
        files: [{ ...project.files[0]!, text: applyEdits(text, change.edits) }],
      });
      const { outcome, stdout } = runProgram(own, { stdin, maxSteps: 2_000 });
      const end = outcome.kind === "exit" ? "exit" : outcome.kind === "limit" ? "limit" : "failure";
      return { end, printed: end === "limit" ? "" : new TextDecoder().decode(stdout) };
    });
    const found = ending(() => {
      const printed: Uint8Array[] = [];
      const { end } = runs.run({ stdin, maxSteps: 2_000, onOutput: (bytes) => printed.push(bytes.slice()) }, versions);
      return { end, printed: end === "limit" ? "" : Buffer.concat(printed).toString() };
    });
    expect([JSON.stringify(change), found]).toEqual([JSON.stringify(change), expected]);
    compared++;
  }
  expect(compared).toBeGreaterThan(80);
});

test("behaves as the original if no change is selected", () => {
  const { program } = frontEnd.loadSwitched(project, changes.slice(0, 500));
  const printed: Uint8Array[] = [];
  const { end } = createSwitchedRuns(program, {}).run({ stdin, onOutput: (bytes) => printed.push(bytes.slice()) }, []);
  const { stdout } = runProgram(frontEnd.load(project), { stdin });
  expect([end, Buffer.concat(printed).toString()]).toEqual(["exit", Buffer.from(stdout).toString()]);
});

/** The texts that changes make of a statement of `main`, without white space. */
function changedTo(statement: string): readonly string[] {
  const file = `#include <stdio.h>\nint a[50][50], b[30];\nint main(void) {\n  int i = 0, j = 1, n = 2;\n  ${statement}\n  return 0;\n}\n`;
  const proposed = frontEnd.propose(projectOf([{ path: "x.c", text: file }]), { executed: () => true });
  return proposed.map(({ edits }) => applyEdits(file, edits).replaceAll(/\s/g, ""));
}

test.each([
  ["the same edit at all places of a statement", 'printf("%2d-%2d-%d", i, j, n);', 'printf("%02d-%02d-%d",i,j,n);'],
  ["two variables that are swapped", "if (b[i] < n && b[j] > n) n++;", "if(b[j]<n&&b[i]>n)n++;"],
  ["a variable that is replaced everywhere", "for (i = 0; i < n; i++) b[i] = j;", "for(j=0;j<n;j++)b[i]=j;"],
  ["a loop that is shifted downwards", "for (i = n; i > 0; i--) b[i] = j;", "for(i=(n-1);i>=0;i--)b[i]=j;"],
  ["an index that begins at a letter", "b[j] = n;", "b[j-'a']=n;"],
  ["a condition on the names of the place", "if (b[i] + b[j] == n) n++;", "if(b[i]+b[j]==n&&j!=i)n++;"],
  ["an update of an array element", "b[j] = n;", "b[j]=n;b[j]++;"],
  ["two debugging outputs that are deleted", 'n++; printf("%d", i); printf("%d", j);', "n++;return0;"],
])("proposes %s", (_, statement, wanted) => {
  expect(changedTo(statement).some((text) => text.includes(wanted))).toBe(true);
});

test("changes all sizes of an array that are the same", () => {
  expect(changedTo("n++;").some((text) => text.includes("a[60][60]"))).toBe(true);
});

test("switches the initial values of const variables, and changes no const variable otherwise", () => {
  const constant = `#include <stdio.h>
int main(void) {
  const int limit = 3;
  char text[] = "ab", *const start = text;
  for (int i = 0; i < limit; i++) printf("%c\\n", i < 2 ? start[i] : '.');
  return 0;
}
`;
  const given = projectOf([{ path: "limit.c", text: constant }]);
  const proposed = frontEnd.propose(given, { executed: () => true });
  const { selections } = frontEnd.loadSwitched(given, proposed);
  const texts = proposed.map(({ edits }) => applyEdits(constant, edits));
  const loads = (text: string) => {
    try {
      frontEnd.load(projectOf([{ path: "limit.c", text }]));
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(TracefoldError);
      return false;
    }
  };
  expect(texts.filter((text, i) => text.includes("limit = 4;") && selections[i] !== null).length).toBeGreaterThan(0);
  const assigned = texts.filter((text) => /^\s*limit(\+\+|--| = )/m.test(text));
  expect(assigned.filter(loads)).toEqual([]);
});

test("switches initial values whose type is a typedef name", () => {
  const text = `#include <stddef.h>
typedef const int fixed;
int main(void) {
  const size_t a = 1;
  fixed b = 2;
  return a + b == 3 ? 0 : 1;
}
`;
  const to9 = (was: string, line: number) => {
    const start = text.indexOf(was) + was.length - 1;
    return {
      kind: "initialValue" as const,
      file: "named.c",
      lines: [line],
      size: 2,
      edits: [{ start, end: start + 1, text: "9" }],
    };
  };
  const named = projectOf([{ path: "named.c", text }]);
  const { program, selections, unswitched } = frontEnd.loadSwitched(named, [to9("a = 1", 4), to9("b = 2", 5)]);
  // The type of `b` is const itself.
  expect(unswitched).toEqual([1]);
  expect(createSwitchedRuns(program, {}).run({ maxSteps: 100 }, selections[0] ?? []).code).toBe(1);
});
