import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { listedFiles } from "../../src/c/library/files.ts";
import { folderFiles } from "../../src/interpreter/folderFiles.ts";
import { runProgram } from "../../src/interpreter/run.ts";

const open = `#include <stdio.h>
#include <errno.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *f = fopen(argv[i], "r");
    if (f == 0) { printf("%d\\n", errno); continue; }
    int c = getc(f);
    printf("%c\\n", c == EOF ? '-' : c);
    fclose(f);
  }
  return 0;
}
`;
const write = `#include <stdio.h>
int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], argv[2]);
  if (f == 0) return 1;
  fprintf(f, "new");
  fclose(f);
  return 0;
}
`;
const [ENOENT, EACCES, EISDIR] = ["2", "13", "-"];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tracefold-files-"));
  mkdirSync(join(folder, "program/data"), { recursive: true });
  writeFileSync(join(folder, "secret"), "secret");
  writeFileSync(join(folder, "program/data/in.txt"), "inside");
  symlinkSync("../secret", join(folder, "program/link"));
  symlinkSync("..", join(folder, "program/up"));
  symlinkSync("data/in.txt", join(folder, "program/alias"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function opened(...paths: string[]): Promise<string[]> {
  const files = folderFiles(join(folder, "program"));
  const { stdout } = runProgram(await loadCText("p.c", open), { files, args: paths });
  return Buffer.from(stdout).toString().trimEnd().split("\n");
}

describe("the files of a program", () => {
  it("are those below its folder", async () => {
    expect(await opened("data/in.txt", "./data//in.txt", "data/../alias", "absent", "data")).toEqual([
      "i",
      "i",
      "i",
      ENOENT,
      EISDIR,
    ]);
  });

  it("include nothing else of the machine", async () => {
    const absolute = join(folder, "program/data/in.txt");
    const paths = [
      "../secret",
      "data/../../secret",
      "/etc/passwd",
      absolute,
      "/dev/zero",
      "/proc/self/environ",
      "/tmp/x",
    ];
    expect(await opened(...paths)).toEqual(paths.map(() => ENOENT));
    expect(await opened("link", "up/secret", "up")).toEqual([EACCES, EACCES, EACCES]);
  });

  it("change only in memory", async () => {
    const program = await loadCText("p.c", write);
    const run = (...args: string[]) => runProgram(program, { files: folderFiles(join(folder, "program")), args });
    const before = readdirSync(join(folder, "program")).toSorted();
    expect(Buffer.from(run("data/in.txt", "w").files.get("data/in.txt")!).toString()).toBe("new");
    expect(Buffer.from(run("data/in.txt", "a").files.get("data/in.txt")!).toString()).toBe("insidenew");
    expect(Buffer.from(run("out.txt", "w").files.get("out.txt")!).toString()).toBe("new");
    expect(Buffer.from(run("/tmp/out.txt", "w").files.get("/tmp/out.txt")!).toString()).toBe("new");
    expect(run("/etc/passwd", "a")).toMatchObject({ outcome: { code: 1 }, outsidePaths: ["/etc/passwd"] });
    expect(run("../secret", "w").outcome).toMatchObject({ code: 1 });
    expect(readdirSync(join(folder, "program")).toSorted()).toEqual(before);
    expect(readFileSync(join(folder, "program/data/in.txt"), "utf8")).toBe("inside");
  });

  it("must not be used once they are closed", async () => {
    const source = `#include <stdio.h>
int main(void) { FILE *f = fopen("in", "r"); fclose(f); return getc(f); }
`;
    const { outcome } = runProgram(await loadCText("p.c", source), { files: listedFiles({ in: Buffer.from("x") }) });
    expect(outcome).toMatchObject({ kind: "undefined-behaviour", message: "the stream was closed" });
  });
});
