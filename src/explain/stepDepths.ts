import type { ArgumentStep } from "./argument.ts";

/**
 * Call depth of each step of an explanation, the outermost shown being 0. Where the report does not say it, a function
 * seen further out is taken as returned to, and any other as called. A fact stands where its function's statements do.
 */
export function stepDepths(steps: readonly ArgumentStep[], entry: string): number[] {
  const known = steps.every((step) => step.kind === "fact" || step.depth !== undefined);
  const depths = known ? recordedDepths(steps) : depthsByOrder(steps, entry);
  const least = depths.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER);
  return depths.map((depth) => depth - least);
}

function recordedDepths(steps: readonly ArgumentStep[]): number[] {
  return steps.map((step, i) => {
    if (step.kind !== "fact") return step.depth!;
    const same = (other: ArgumentStep) => other.kind !== "fact" && other.function === step.function;
    const near = steps.slice(0, i).findLast(same) ?? steps.slice(i).find(same) ?? steps.find((s) => s.kind !== "fact");
    return near === undefined || near.kind === "fact" ? 0 : near.depth!;
  });
}

function depthsByOrder(steps: readonly ArgumentStep[], entry: string): number[] {
  const stack = [entry];
  return steps.map((step) => {
    const at = stack.lastIndexOf(step.function);
    if (at >= 0) stack.length = at + 1;
    else stack.push(step.function);
    return stack.length - 1;
  });
}
