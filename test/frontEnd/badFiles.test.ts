import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decodeSource, encodeSource } from "../../src/base/files.ts";
import { readProject } from "../../src/frontEnd/project.ts";
import { runProgram } from "../../src/interpreter/run.ts";
import { loadProject } from "../../src/languages/loadProject.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-bad-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

const settings = { dataModel: "LP64", entry: "main", includeFolders: [], defines: [] } as const;

async function load(name: string, content: Uint8Array | null = null) {
  const path = join(folder, name);
  if (content !== null) writeFileSync(path, content);
  return loadProject(await readProject([path], settings), { preprocess: "builtin" });
}

describe("program files that are no text of a program", () => {
  it("are named with the problem", async () => {
    mkdirSync(join(folder, "folder.c"));
    await expect(load("absent.c")).rejects.toThrow("absent.c: there is no such file");
    await expect(load("folder.c")).rejects.toThrow("folder.c: it is a folder");
    await expect(load("binary.c", Uint8Array.of(127, 69, 76, 70, 0, 1, 255))).rejects.toThrow("not a text file");
    await expect(load("empty.c", new Uint8Array())).rejects.toThrow("main");
  });

  it("are named with their language if they are not C", async () => {
    const error = (language: string) => ({
      code: "TF109",
      message: expect.stringContaining(`this is ${language}, not C`),
    });
    const classes = Buffer.from("#include <iostream>\nclass A {}; int main() { std::cout << 1; }");
    await expect(load("classes.cpp", classes)).rejects.toMatchObject(error("C++"));
    await expect(load("f.py", Buffer.from("def f(): pass"))).rejects.toMatchObject(error("Python"));
    // C with such a name is read as before.
    expect(await load("plain.cc", Buffer.from("int main(void) { return 0; }"))).toBeDefined();
  });

  it("may be in any encoding if C allows it, and keep their bytes", async () => {
    const text = 'int main(void) { const char *s = "caf\u00e9"; return (unsigned char)s[3]; } // \u00fe';
    const { outcome } = runProgram(await load("latin1.c", Buffer.from(text, "latin1")));
    expect(outcome).toMatchObject({ kind: "exit", code: 0xe9 });
    const bytes = Buffer.from([0x22, 0xc3, 0xa9, 0xff, 0xf0, 0x9f, 0x98, 0x80, 0xe9, 0xc3, 0xef, 0xbf, 0xbd, 0x22]);
    expect(Buffer.from(encodeSource(decodeSource(bytes))).equals(bytes)).toBe(true);
  });

  it.skipIf(process.getuid?.() === 0)("cannot be read without permission", async () => {
    writeFileSync(join(folder, "closed.c"), "int main(void) { return 0; }");
    chmodSync(join(folder, "closed.c"), 0);
    await expect(load("closed.c")).rejects.toThrow("closed.c");
  });
});
