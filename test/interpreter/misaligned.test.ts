import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { runProgram } from "../../src/interpreter/run.ts";

/** The body of main, and whether an access in it is misaligned. gcc folds addresses without a variable, and then sees nothing. */
const bodies: readonly (readonly [body: string, misaligned: boolean])[] = [
  ["char *m = calloc(32, 1); int *p = (int *)(m + 2); return *p;", true],
  ["char *m = calloc(32, 1); short *p = (short *)(m + 1); *p = 3; return 0;", true],
  ["char *m = calloc(32, 1); long *p = (long *)(m + 4); return *p != 0;", true],
  ["char *m = calloc(32, 1); double *p = (double *)(m + 12); *p = 1; return 0;", true],
  ["char *m = calloc(32, 1); float *p = (float *)(m + 3); *p = 1; return 0;", true],
  ["char *m = calloc(32, 1); void **p = (void **)(m + 4); *p = m; return 0;", true],
  [
    "char *m = calloc(32, 1); int k = 1; int *p = (int *)(m + k); for (int i = 0; i < 2; i++) p[i] = i; return 0;",
    true,
  ],
  ["int a[4] = {0}; int *p = (int *)((char *)a + 1); return *p;", true],
  ["char buffer[64] = {0}; int *p = (int *)(buffer + 6); return *p;", true],
  ["char *m = calloc(32, 1); struct pair *p = (struct pair *)(m + 2); return p->b;", true],
  ["char *m = calloc(32, 1); return *(int *)(m + 4) + (*(long *)(m + 8) != 0) + *(short *)(m + 2);", false],
  ["char *m = calloc(32, 1); int n; memcpy(&n, m + 1, sizeof n); return n;", false],
  ["struct tight t = {1, 2, 3}; struct tight *p = &t; p->b++; return t.b + (int)p->c - 6;", false],
  ["struct tight *t = calloc(2, sizeof *t); t[1].b = 0; return t[1].b + (int)t[1].c;", false],
  ["struct around *t = calloc(2, sizeof *t); t->in.b = 0; return t->in.b;", false],
  ["char *m = calloc(32, 1); return m[3] + *(unsigned char *)(m + 5) + *(_Bool *)(m + 7);", false],
];

const head = `#include <stdlib.h>
#include <string.h>
struct pair { int a, b; };
struct __attribute__((packed)) tight { char a; int b; long c; };
struct __attribute__((packed)) around { char a; struct pair in; };
`;

function programOf(body: string): string {
  return `${head}int main(void) { ${body} }\n`;
}

test.each(bodies)("%s", async (body, misaligned) => {
  const program = await loadCText("t.c", programOf(body));
  const { outcome } = runProgram(program);
  if (misaligned) expect(outcome).toMatchObject({ kind: "undefined-behaviour", problem: "misaligned-access" });
  else expect(outcome).toMatchObject({ kind: "exit", code: 0 });
  // Where undefined behaviour wraps, an address may be any.
  expect(runProgram(program, { undefinedBehaviour: "wrap" }).outcome.kind).toBe("exit");
});

test("gcc's sanitizer agrees", () => {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-misaligned-"));
  try {
    const reported = bodies.map(([body]) => {
      writeFileSync(join(folder, "t.c"), programOf(body));
      const flags = ["-w", "-fsanitize=alignment", "-fno-sanitize-recover=alignment", "t.c", "-o", "t"];
      expect(spawnSync("gcc", flags, { cwd: folder }).status).toBe(0);
      return /misaligned address/.test(spawnSync("./t", { cwd: folder, encoding: "utf8" }).stderr);
    });
    expect(reported).toEqual(bodies.map(([, misaligned]) => misaligned));
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);

test("the message says where the address is", async () => {
  const { outcome } = runProgram(await loadCText("t.c", programOf("int a[4] = {0}; return *(int *)((char *)a + 1);")));
  expect(outcome).toMatchObject({
    message: expect.stringContaining("is at byte 1 of a, and its type needs a multiple of 4"),
  });
});

test("a small array of characters may be at any address", async () => {
  const { outcome } = runProgram(await loadCText("t.c", programOf("char b[8] = {0}; return *(int *)(b + 1);")));
  expect(outcome.kind).toBe("exit");
});
