import { describe, expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { parseC } from "../../src/c/parse/parseC.ts";
import { preprocess } from "../../src/c/preprocess/preprocess.ts";
import { compareRuns } from "./compareRuns.ts";
import { runWithGcc } from "./gccOracle.ts";
import { instrumentBranches } from "./instrumentBranches.ts";
import { observeRun } from "./observeRun.ts";
import { hasTool } from "./tools.ts";

/** What the comparison says when our side runs `ours` and gcc runs `theirs`, texts of equal shape. */
async function difference(ours: string, theirs = ours): Promise<string | null> {
  const program = await loadCText("program.i", ours);
  const source = preprocess({ path: "program.i", text: theirs }, { dataModel: "LP64", readFile: () => null });
  const instrumented = instrumentBranches(theirs, parseC(source));
  const [run] = await runWithGcc([{ text: instrumented.text, inputs: [3n, 4n], topLevel: ["main"] }], {
    dataModel: "LP64",
    sanitize: "undefined",
    cycleInputs: true,
  });
  return compareRuns(program, instrumented, observeRun(program, { inputs: [3n, 4n] }), run!);
}

const main = (body: string) =>
  `int printf(const char *, ...);\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  ${body}\n}\n`;

describe.skipIf(!hasTool("gcc"))("the comparison with gcc", () => {
  it("finds nothing if there is nothing to find", async () => {
    expect(
      await difference(main("while (x > 0 && x != 9) x--; switch (x) { case 0: return 1; } return 2;")),
    ).toBeNull();
  });

  it("sees another decision although nothing else differs", async () => {
    expect(await difference(main("if (x < 3) x = 0; return 0;"), main("if (x < 4) x = 0; return 0;"))).toMatch(
      /^decision 0 differs: ours 5:7 0, gcc 5:7 1/,
    );
  });

  it("sees another case of a switch", async () => {
    const body = (value: string) => main(`switch (${value}) { case 3: x = 1; break; case 4: x = 1; break; } return 0;`);
    expect(await difference(body("x+0"), body("x+1"))).toMatch(/^decision 0 differs/);
  });

  it("sees one decision more or less", async () => {
    expect(await difference(main("while (x-- > 0) ; return 0;"), main("while (--x > 0) ; return 0;"))).toMatch(
      /differs|gcc 3/,
    );
  });

  it("sees other output, another status, more inputs read, undefined behaviour of one", async () => {
    expect(await difference(main('printf("a"); return 0;'), main('printf("b"); return 0;'))).toMatch(/^output differs/);
    expect(await difference(main("return 1;"), main("return 2;"))).toBe(
      "ours: exit 1 (), gcc: exit 2 (after 0 bytes of output)",
    );
    expect(await difference(main("return 0;"), main("__VERIFIER_nondet_int(); return 0;"))).toMatch(/^inputs read/);
    expect(await difference(main("x = x / (x - 2); return 0;"), main("x = x / (x - 3); return 0;"))).toMatch(
      /^ours: exit 0 .* gcc: undefined-behaviour/,
    );
  });
});
