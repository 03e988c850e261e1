import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { root } from "./builtCli.ts";

const ajv = new Ajv({ strictTypes: false });
ajv.addSchema(JSON.parse(readFileSync(join(root, "schema/tracefold.schema.json"), "utf8")));

/** What is wrong with an output as JSON, by the schema of its type. */
export function schemaErrors(type: string, output: unknown): readonly unknown[] {
  const validate = ajv.getSchema(`tracefold.schema.json#/definitions/${type}`);
  if (validate === undefined) throw new Error(`the schema has no ${type}`);
  validate(JSON.parse(JSON.stringify(output)));
  return validate.errors ?? [];
}
