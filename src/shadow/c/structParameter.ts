import type { ProgramVariable } from "../../ir/program.ts";
import { type Expr, parameter } from "../expr.ts";
import { structResult } from "../structResult.ts";

/** The struct that a made-up pointer parameter stands for; null for a parameter of the source. */
export function structParameter({ name, madeUp, type }: ProgramVariable): Extract<Expr, { kind: "param" }> | null {
  if (madeUp !== true || type.kind !== "pointer" || type.to.kind !== "struct") return null;
  return (name === "$result" ? structResult : parameter(name.slice(1))) as Extract<Expr, { kind: "param" }>;
}
