import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createGenerator } from "ts-json-schema-generator";

/** The types of all that commands print with `--format json`, and of `proof.json` in the folder of a proof. */
const outputs = {
  Explanation: "src/commands/explain/result.ts",
  RunReport: "src/commands/run/result.ts",
  TestsReport: "src/commands/run/result.ts",
  VerifyReport: "src/commands/verify/result.ts",
  ExploreReport: "src/commands/explore/result.ts",
  InferReport: "src/commands/infer/result.ts",
  CheckReport: "src/commands/check/result.ts",
  ProofManifest: "src/proof/manifest.ts",
};

const root = new URL("../", import.meta.url);
export const schemaFile = new URL("schema/tracefold.schema.json", root);

/** The schema of all outputs, made from the TypeScript types; their comments are its descriptions. */
export function generatedSchema(): string {
  const path = (file: string) => fileURLToPath(new URL(file, root));
  const definitions = Object.entries(outputs).map(([type, file]) => {
    const config = { path: path(file), tsconfig: path("tsconfig.json"), type, skipTypeCheck: true, topRef: true };
    return createGenerator({ ...config, additionalProperties: false }).createSchema(type).definitions;
  });
  const all = Object.fromEntries(definitions.flatMap((part) => Object.entries(part ?? {})).sort(byName));
  return `${JSON.stringify(
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      $id: "tracefold.schema.json",
      title: "What tracefold prints with --format json",
      anyOf: Object.keys(outputs).map((type) => ({ $ref: `#/definitions/${type}` })),
      definitions: all,
    },
    null,
    1,
  )}\n`;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

export function writtenSchema(): string {
  return readFileSync(schemaFile, "utf8");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(schemaFile, generatedSchema());
