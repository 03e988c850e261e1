import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { givenTo } from "../../src/commands/command.ts";
import { run } from "../../src/commands/run/command.ts";
import { builtCli } from "../support/builtCli.ts";

/** What a program has to print, as options of commands. */

const folder = mkdtempSync(join(tmpdir(), "tracefold-expected-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = `#include <stdio.h>
#include <string.h>

/* The longest word of a file. */
static int length_of(const char *word) {
  int n = 0;
  while (word[n + 1] != '\\0')
    n++;
  return n;
}

int main(int argc, char **argv) {
  FILE *in = fopen(argv[1], "r");
  if (in == NULL) return 1;
  char word[40], best[40] = "";
  while (fscanf(in, "%39s", word) == 1)
    if (length_of(word) > (int)strlen(best)) strcpy(best, word);
  printf("words: %s\\n", argv[1]);
  printf("longest: %s\\n", best);
  fclose(in);
  return 0;
}
`;

beforeAll(() => {
  writeFileSync(join(folder, "longest.c"), program);
  writeFileSync(join(folder, "words.txt"), "a fig plums \u00e9 banana\n");
  writeFileSync(join(folder, "wrong.txt"), "words: words.txt\nlongest: banana\n");
  writeFileSync(join(folder, "binary"), Uint8Array.of(0, 255, 254, 10, 128));
});

function tracefold(...args: string[]) {
  return spawnSync("node", [builtCli(), ...args], { cwd: folder, encoding: "utf8", timeout: 600_000 });
}

describe("a wrong output", () => {
  it("is explained from the byte that differs", () => {
    const { stdout, status } = tracefold("explain", "longest.c", "--expect-stdout", "wrong.txt", "--", "words.txt");
    expect(stdout).toContain(`error: wrong output in line 2: expected "longest: banana"
                               printed  "longest: plums"
                                                  ^
`);
    expect(stdout).toContain("--> longest.c:19:3 in main");
    expect(stdout).toContain('"plums"');
    expect(stdout).toMatch(/7 +while \(word\[n \+ 1\] != '\\0'\)/);
    expect(status).toBe(0);
  });

  it("is a failure of run", () => {
    const json = tracefold("run", "longest.c", "--format", "json", "--expect-stdout", "binary", "--", "words.txt");
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout).outcome).toMatchObject({
      kind: "wrong-output",
      difference: { line: 1, column: 1, expected: '"\\x00\u00ff\u00fe"', found: '"words: words.txt"' },
      location: { line: 18 },
    });
    const exit = tracefold("run", "longest.c", "--expect-exit", "0", "--", "../secret");
    expect(exit.stdout).toContain("the program exits with status 1, expected 0");
    expect(exit.stdout).toContain("the program asked for ../secret: outside of its folder there is nothing for it");
    expect(exit.status).toBe(1);
  });

  it("needs options that can be read", () => {
    const inFolder = (name: string) => join(folder, name);
    const requestOf = (raw: Parameters<typeof givenTo<typeof run.options>>[1]["raw"]) =>
      run.request(givenTo(run, { words: ["a.c"], raw: raw ?? {} }));
    const problems: [Parameters<typeof requestOf>[0], string][] = [
      [{ expectStdout: inFolder("absent") }, "absent (there is no such file)"],
      [{ expectStdout: folder }, "(it is a folder)"],
      [{ expectExit: "256" }, "--expect-exit needs a status from 0 to 255"],
      [{ expectFile: ["out"] }, "--expect-file needs a file of the program"],
      [{ expectFile: [`../out=${inFolder("binary")}`] }, "--expect-file needs a file of the program"],
      [{ filesFolder: inFolder("binary") }, "binary is no folder"],
      [{ filesFolder: inFolder("absent") }, "absent (there is no such file)"],
    ];
    for (const [raw, message] of problems) expect(() => requestOf(raw)).toThrow(message);
    expect(requestOf({}).expected).toBe(null);
    const { expected } = requestOf({ expectFile: [`a//out=${inFolder("binary")}`] });
    expect(expected?.files).toEqual([{ name: "a/out", content: Buffer.from([0, 255, 254, 10, 128]) }]);
  });
});
