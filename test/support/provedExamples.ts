import { join } from "node:path";
import { readingSettings } from "../../src/frontend/project.ts";
import type { CompressedRun } from "../../src/jobs/compress/compressRun.ts";
import { checkProof } from "../../src/proof/checkProof.ts";
import { exportProof } from "../../src/proof/exportProof.ts";
import { parseManifest } from "../../src/proof/manifest.ts";
import type { InputSource } from "../../src/trace/inputs.ts";
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
  return exportProof({
    runs: null,
    version: "0",
    program: {
      files: [{ path, ...readingSettings({}) }],
      entry: "main",
      dataModel: "LP64",
      uninitialized: "undefined",
      undefined: "error",
      subobjectBounds: true,
      errorFlag: false,
      preprocess: "auto",
    },
    fromFolder: (each) => each,
    ...{ trace, target, claims, triples: proof.triples },
  });
}

/** Checks a proof's files as someone who was handed them would. */
export async function recheckFiles(files: ReadonlyMap<string, string>, programPath: string) {
  return checkProof(parseManifest(files.get("proof.json")!, "proof.json"), {
    fromManifest: () => programPath,
    readScript: (name) => files.get(name) ?? null,
  });
}
