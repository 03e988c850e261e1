import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { CompressedRun } from "../../src/commands/compress/pipeline.ts";
import { readingSettings } from "../../src/frontEnd/project.ts";
import type { InputSource } from "../../src/interpreter/inputs.ts";
import { checkFolder } from "../../src/proof/checkFolder.ts";
import { proofFiles, runProof, writeProofFolder } from "../../src/proof/proofFolder.ts";
import { root } from "./builtCli.ts";

export type ProvedExample = { readonly name: string; readonly path: string; readonly inputs: InputSource };

const starting =
  (...values: readonly bigint[]): InputSource =>
  ({ index }) =>
    values[index] ?? 0n;

/** Programs that fold, with inputs with which they fail after a few rounds. */
const programs: readonly ProvedExample[] = [
  { name: "two-counters", path: "examples/folding/two-counters.c", inputs: starting(9n) },
  { name: "balance", path: "examples/folding/balance.c", inputs: ({ index }) => BigInt(index + 4) },
  { name: "nested", path: "examples/folding/nested.c", inputs: starting() },
  { name: "client", path: "bench/programs/folding/client.c", inputs: starting(9n) },
  { name: "server", path: "bench/programs/folding/server.c", inputs: starting(9n, 2n) },
  { name: "token_ring", path: "bench/programs/folding/token_ring.c", inputs: starting(3n, 4n, 1n, 1n, 1n) },
  { name: "retry_driver", path: "bench/programs/folding/retry_driver.c", inputs: starting(9n) },
  { name: "status_driver", path: "bench/programs/folding/status_driver.c", inputs: starting(9n) },
];

export const provedExamples = programs.map((example) => ({ ...example, path: join(root, example.path) }));

/** The files of the proof of a run; `path` is where the program is. */
export function filesOfProof({ trace, target, claims, proof }: CompressedRun, path: string) {
  return proofFiles({
    version: "0",
    program: trace.program,
    project: { files: [{ path, text: "", ...readingSettings({}) }], entry: "main", dataModel: "LP64" },
    settings: {
      entry: "main",
      dataModel: "LP64",
      uninitialized: "undefined",
      undefined: "error",
      subobjectBounds: true,
      errorFlag: false,
      preprocess: "auto",
    },
    fromFolder: (each) => each,
    claim: runProof(trace, target, { folds: claims, runs: null }),
    obligations: proof.obligations,
  });
}

/** Checks a proof's files as someone who was handed them would, with a program at this place. */
export async function recheckFiles(files: ReadonlyMap<string, string>, programPath: string) {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-recheck-"));
  try {
    const manifest = JSON.parse(files.get("proof.json")!);
    for (const file of [...(manifest.program?.files ?? []), ...(manifest.program?.read ?? [])]) {
      if (!file.path.startsWith("<")) file.path = programPath;
    }
    writeProofFolder(folder, new Map([...files, ["proof.json", JSON.stringify(manifest)]]));
    const checked = await checkFolder(folder);
    const problems = checked.problems.map((problem) => ({ ...problem, path: basename(problem.path) }));
    return { ...checked, problems };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
