import { describe, expect, test } from "vitest";
import { inChosenOrder } from "../../bench/mutants/chooseMutations.ts";
import type { EditKind } from "../../bench/mutants/forbiddenEdits.ts";
import { mutationsOf } from "../../bench/mutants/mutate.ts";
import { isOmission, type MutationKind, mutatedText, mutationKinds } from "../../bench/mutants/mutation.ts";
import { testedPrograms } from "../../bench/mutants/programs.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { runProgram } from "../../src/interpreter/run.ts";

const sample = `#include <assert.h>
enum mode { OFF, ON };
static const int table[] = { 1, 2, 3 };
struct pair { int low, high; };

static int pick(const int *a, int n, int from) {
  int found = 0;
  if (n < 0)
    return -1;
  for (int i = from; i < n && found < 10; i++) {
    if (a[i] == 'x') {
      found = i;
      break;
    }
    found += a[i] - from;
  }
  return found;
}

static void set(struct pair *p, int low, int high) {
  p->low = low;
  p->high = high;
  if (low > high)
    p->low = high;
  else
    p->low = OFF;
}

static void test_pick(void) {
  struct pair p;
  set(&p, 1, 2);
  assert(pick(table, 3, 1) == 3);
}

int main(void) {
  test_pick();
  return 0;
}
`;

describe("the programs", () => {
  test.each(testedPrograms().map((program) => [program.name, program] as const))(
    "%s passes its tests",
    async (_, p) => {
      expect(runProgram(await loadCText(p.path, p.text)).outcome).toMatchObject({ kind: "exit", code: 0 });
    },
  );

  test("are divided into two halves of the same size, and none is in both", () => {
    const names = testedPrograms().map(({ name }) => name);
    const look = testedPrograms().filter(({ half }) => half === "look");
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(34);
    expect(look).toHaveLength(names.length / 2);
  });
});

describe("mutations", () => {
  const program = { path: "sample.c", text: sample };

  test("has mutations of each kind, and each is a C program that differs only on its lines", async () => {
    const mutations = await mutationsOf(program);
    expect(new Set(mutations.map(({ kind }) => kind))).toEqual(new Set(mutationKinds));
    const before = sample.split("\n");
    for (const mutation of mutations) {
      const text = mutatedText(sample, mutation);
      await expect(loadCText("sample.c", text)).resolves.toBeDefined();
      const after = text.split("\n");
      expect(after).toHaveLength(before.length);
      const changed = before.flatMap((line, i) => (line === after[i] ? [] : [i + 1]));
      expect(changed.length).toBeGreaterThan(0);
      expect(mutation.lines).toEqual(expect.arrayContaining(changed));
    }
  });

  test("leaves tests and assertions unchanged", async () => {
    const end = sample.indexOf("static void test_pick");
    expect((await mutationsOf(program)).every((mutation) => mutation.end <= end)).toBe(true);
  });

  test("gives the same mutations in the same order each time", async () => {
    const [one, other] = [await mutationsOf(program), await mutationsOf(program)];
    expect(one).toEqual(other);
    expect(inChosenOrder("sample", "constant", one)).toEqual(inChosenOrder("sample", "constant", other));
    expect(inChosenOrder("sample", "constant", one)).not.toEqual(inChosenOrder("another", "constant", one));
  });

  test("puts one mutation of each line first", async () => {
    const chosen = inChosenOrder("sample", "comparison", await mutationsOf(program));
    const lines = chosen.map(({ lines: [line] }) => line);
    const different = new Set(lines).size;
    expect(new Set(lines.slice(0, different)).size).toBe(different);
  });

  test("knows the neighbours and the function of a deleted statement", async () => {
    const omissions = (await mutationsOf(program)).filter(({ kind }) => isOmission(kind));
    for (const { lines, neighbours, function: name } of omissions) {
      expect(neighbours).toHaveLength(2);
      expect(neighbours[0]).toBeLessThan(lines[0]!);
      expect(neighbours[1]).toBeGreaterThan(lines.at(-1)!);
      expect(["pick", "set"]).toContain(name);
    }
  });

  test("forbids the edits that undo a kind", async () => {
    const undoing: Readonly<Record<MutationKind, readonly EditKind[]>> = {
      comparison: ["comparison"],
      arithmetic: ["arithmetic"],
      constant: ["constant"],
      condition: ["negation", "connective"],
      index: ["index"],
      order: ["order"],
      variable: ["variable"],
      increment: ["direction"],
      "deleted statement": ["insert"],
      "deleted branch": ["insert"],
      "removed break": ["insert"],
    };
    for (const { kind, forbidden } of await mutationsOf(program)) {
      const everywhere = forbidden.filter(({ line }) => line === null).map(({ edit }) => edit);
      expect(everywhere.some((edit) => undoing[kind].includes(edit))).toBe(true);
    }
  });

  test("forbids negating a comparison if that undoes it", async () => {
    const mutations = await mutationsOf(program);
    const flipped = mutations.find(({ description }) => description === "a[i] == 'x' -> a[i] != 'x'")!;
    expect(flipped.forbidden).toContainEqual({ edit: "negation", line: flipped.lines[0] });
    const reversed = mutations.find(({ description }) => description === "n < 0 -> n <= 0")!;
    expect(reversed.forbidden).not.toContainEqual(expect.objectContaining({ edit: "negation" }));
  });
});
