import type { ReportedFunction } from "./result.ts";

/** `RangeError: capacity if capacity < 1`. */
export function throwText({ error, when, partial }: ReportedFunction["throws"][number]): string {
  if (when.length === 0) return error;
  return `${error} ${partial ? "only if" : "if"} ${when.join(" && ")}`;
}

export function statementsOf(one: ReportedFunction): readonly string[] {
  return [
    ...one.throws.map((thrown) => `throws ${throwText(thrown)}`),
    ...one.pre.map(({ condition }) => `requires ${condition}`),
    ...one.post.map((text) => `ensures ${text}`),
    ...one.cases.map(
      ({ guard, effects }) => `ensures ${guard.length > 0 ? `if ${guard.join(" && ")}: ` : ""}${effects.join(", ")}`,
    ),
    ...(one.pure ? ["pure"] : one.modifies.map((place) => `modifies ${place}`)),
  ];
}
