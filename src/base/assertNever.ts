import { Defect } from "./errors.ts";

/** Ends every `switch` over a union: the type checker proves that the call is unreachable. */
export function assertNever(value: never, what = "value"): never {
  throw new Defect(`unexpected ${what}: ${JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}` : v))}`);
}
