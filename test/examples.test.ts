import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadC } from "../src/c/cFrontEnd.ts";
import { parseInputs } from "../src/interpreter/inputs.ts";
import { root } from "./support/builtCli.ts";
import { checkFile } from "./support/checkFile.ts";
import { observeRun } from "./support/observeRun.ts";
import { hasTool } from "./support/tools.ts";

const folder = join(root, "examples");
const programs = readdirSync(folder).filter((name) => name.endsWith(".c"));
const list = readFileSync(join(folder, "README.md"), "utf8");

/** The inputs and the standard input that the list of examples runs a program with. */
function commandOf(name: string) {
  const command = new RegExp(`\`tracefold run ${name}([^\`]*)\``).exec(list)?.[1] ?? "";
  const inputs = parseInputs(/--inputs (\S+)/.exec(command)?.[1] ?? "").map(BigInt);
  const stdin = /--stdin (\S+)/.exec(command)?.[1];
  return { inputs, stdin: stdin === undefined ? "" : readFileSync(join(folder, stdin), "utf8") };
}

/** Undefined behaviour that gcc's sanitizer does not see. */
const undefinedForUs = ["array-sum.c", "uninitialised.c", "use-after-free.c"];

describe.skipIf(!hasTool("gcc"))("the examples behave as with gcc", () => {
  for (const name of programs.filter((each) => !undefinedForUs.includes(each))) {
    for (const dataModel of hasTool("gcc -m32") ? (["LP64", "ILP32"] as const) : (["LP64"] as const)) {
      it(`${name}, ${dataModel}`, async () => {
        const { inputs, stdin } = commandOf(name);
        const check = await checkFile(join(folder, name), { dataModel, inputs, stdin, maxSteps: 1_000_000 });
        expect(check).toMatchObject({ kind: "same" });
      });
    }
  }
});

describe("preprocessed by ourselves", () => {
  for (const name of programs) {
    it.skipIf(!hasTool("gcc"))(`${name} runs as when gcc preprocesses it`, async () => {
      const { inputs, stdin } = commandOf(name);
      const options = { inputs, stdin: new TextEncoder().encode(stdin), programName: name };
      const [own, theirs] = await Promise.all(
        (["builtin", "gcc"] as const).map(async (preprocess) => {
          const run = observeRun(await loadC(join(folder, name), { preprocess }), options);
          const decisions = run.decisions.map(({ operation }) => operation.kind === "assume" && operation.negated);
          return { stdout: Buffer.from(run.stdout).toString(), outcome: run.outcome.kind, decisions };
        }),
      );
      expect(own).toEqual(theirs);
    });
  }
});
