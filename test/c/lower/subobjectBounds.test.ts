import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { hasTool } from "../../support/tools.ts";

const declarations = `
  #include <stdlib.h>
  struct inner { int a[3]; int b; };
  struct outer { struct inner in[2]; int m[2][2]; int last[3]; };
  struct tail { int n; int one[1]; };
  struct wrapped { int n; struct tail t; };
  struct middle { struct tail t; int n; };
  struct anonymous { int n; struct { int x; int end[2]; }; };
  union either { int a[2]; int b[4]; };
  struct pair { union either u; int n; };
  struct flexible { int n; int end[]; };
  struct empty { int n; int end[0]; };
  struct outer x; int m[2][2]; struct tail tails[2]; struct pair pair; struct middle mid; struct wrapped wrap;
  struct anonymous anon; struct outer *px = &x; int (*rows)[2] = m; char names[2][4];
  static struct inner made(void) { struct inner s = {{1, 2, 3}, 4}; return s; }
  static struct tail *room(void) { return calloc(1, 64); }
  static int sink;
`;

/** Statements over `i`, each with indices that are inside of the whole object. */
const statements: readonly (readonly [statement: string, ...indices: number[]])[] = [
  ["sink = x.in[0].a[i];", -1, 0, 2, 3, 4],
  ["x.in[1].a[i] = 1;", 2, 3],
  ["x.in[0].a[i]++;", 3],
  ["x.in[0].a[3] = 1;", 0],
  ["x.in[i].b = 1;", 1, 2],
  ["sink = m[0][i];", 1, 2, 3],
  ["sink = m[1][i];", -2, -1, 0],
  ["m[i][i] = 2;", 1],
  ["sink = *m[i];", 1],
  ["int *p = m[i]; sink = p != 0;", 2],
  ["int *p = &m[0][i]; sink = p != 0;", 2, 3, -1],
  ["int *p = &x.in[0].a[i]; sink = p != 0;", 3, 4],
  ["int *p = &x.in[i].b; sink = p != 0;", 1, 2],
  ["int *p = m[0]; sink = p[i];", 2, 3],
  ["sink = *(m[0] + i);", 2],
  ["sink = *(x.in[0].a + i);", 3],
  ["sink = i[m[0]];", 1, 2],
  ["sink = rows[0][i];", 1, 2],
  ["sink = (*rows)[i];", 1, 2],
  ["sink = px->in[0].a[i];", 2, 3],
  ["sink = px->m[0][i];", 1, 2],
  ["sink = (*px).m[i][0];", 1, 2],
  ["sink = px->m[i][0];", 2],
  ["struct tail *t = room(); sink = t->one[i];", 0, 1, 5],
  ["struct tail *t = room(); sink = (*t).one[i];", 5],
  ["struct tail *t = room(); sink = t[0].one[i];", 5],
  ["sink = tails[0].one[i];", 0, 1],
  ["struct wrapped *w = &wrap; w = (void *)room(); sink = w->t.one[i];", 0, 3],
  ["struct middle *q = &mid; sink = q->t.one[i];", 0, 1],
  ["struct anonymous *q = (void *)room(); sink = q->end[i];", 1, 3],
  ["struct flexible *q = (void *)room(); sink = q->end[i];", 0, 3],
  ["struct empty *q = (void *)room(); sink = q->end[i];", 0, 3],
  ["sink = pair.u.a[i];", 1, 2],
  ["struct pair *q = &pair; sink = q->u.a[i];", 1, 2],
  ["union either *q = &pair.u; sink = q->a[i];", 1, 3],
  ["sink = made().a[i];", 2, 3],
  ["sink = names[0][(unsigned char)i];", 3, 4],
  ["sink = names[0][(unsigned long)i & 3];", 2, 7],
  ["sink = names[0][(long long)i];", -1, 3, 5],
  ["long n = 0; sink = m[0][n += i];", 1, 3],
  ["int k = 0; sink = m[k++][i];", 1, 2],
];

const cases = statements.flatMap(([statement, ...indices]) => indices.map((index) => ({ statement, index })));

const ours = (statement: string) =>
  `${declarations} int __VERIFIER_nondet_int(void); int main(void) { int i = __VERIFIER_nondet_int(); ${statement} return 0; }`;

async function problemOf(statement: string, index: number, subobjectBounds = true): Promise<string | null> {
  const program = await loadCText("p.c", ours(statement), { preprocess: "builtin", subobjectBounds });
  const { outcome } = runProgram(program, { inputs: () => BigInt(index) });
  if (outcome.kind === "undefined-behaviour") return `${outcome.problem}: ${outcome.message}`;
  return outcome.kind === "exit" ? null : outcome.kind;
}

describe.skipIf(!hasTool("gcc"))(
  "an index outside of an array in something larger, as -fsanitize=bounds sees it",
  () => {
    let folder = "";
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "tracefold-bounds-"));
      const functions = statements.map(([statement], k) => `static void f${k}(int i) { ${statement} }`);
      const choices = statements.map((_, k) => `case ${k}: f${k}(atoi(argv[2])); break;`);
      const main = `int main(int argc, char **argv) { switch (atoi(argv[1])) { ${choices.join(" ")} } return 0; }`;
      writeFileSync(join(folder, "p.c"), [declarations, ...functions, main].join("\n"));
      const flags = ["-w", "-O0", "-fsanitize=bounds", "-fno-sanitize-recover=all"];
      execFileSync("gcc", [...flags, "p.c", "-o", "p"], { cwd: folder });
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(cases)("$statement with $index", async ({ statement, index }) => {
      const k = statements.findIndex(([each]) => each === statement);
      const { stderr, status } = spawnSync(join(folder, "p"), [`${k}`, `${index}`], { encoding: "utf8" });
      const said = /runtime error: index (-?\d+) out of bounds/.exec(stderr);
      expect(said === null ? status : 1).toBe(said === null ? 0 : status);
      const problem = await problemOf(statement, index);
      if (said === null) expect(problem).toBeNull();
      else expect(problem).toMatch(new RegExp(`^index-out-of-bounds: index ${said[1]} is outside of .*\\[\\d+\\]$`));
    });
  },
);

describe("sub-object bounds", () => {
  it("can be switched off", async () => {
    for (const { statement, index } of cases)
      expect(`${await problemOf(statement, index, false)}`).not.toMatch(/^index/);
  });

  it("names the array in the message", async () => {
    expect(await problemOf("sink = x.in[1].a[i];", 3)).toBe("index-out-of-bounds: index 3 is outside of x.in[1].a[3]");
    expect(await problemOf("px->m[1][i] = 2;", 5)).toBe("index-out-of-bounds: index 5 is outside of px->m[1][2]");
  });

  it("reports an access outside of the whole object as before", async () => {
    expect(await problemOf("int a[3] = {1}; sink = a[i];", 3)).toBe("out-of-bounds-read: index 3 is outside of a[3]");
  });
});
