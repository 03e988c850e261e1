import { type InputSource, type InputValue, mulberry32 } from "../../../src/interpreter/inputs.ts";
import type { RecordedInput } from "../../../src/interpreter/machine.ts";
import type { Trace } from "../../../src/interpreter/trace.ts";
import { type Claim, satisfies } from "./readClaim.ts";
import type { Sample } from "./sampleInputs.ts";

/**
 * Hands out a sample. A loop that goes round more or less often reads more or fewer inputs, so they are told apart by where
 * they are read, not by their number; what is read there more often than in the recorded run may have any value.
 */
export function sampleSource({ program, inputs }: Trace, sample: Sample, seed: number): InputSource {
  const sites = new Map<string, number[]>();
  for (const [i, input] of inputs.entries()) {
    const { range } = program.functions[input.function]!.edges[input.edge]!;
    const key = `${range.line}:${range.column}`;
    sites.set(key, [...(sites.get(key) ?? []), i]);
  }
  const counts = new Map<string, number>();
  const given: InputValue[] = [];
  return ({ range, index, type, within }) => {
    const known = given[index];
    if (known !== undefined) return known;
    const key = `${range.line}:${range.column}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const own = sites.get(key)?.[count];
    const next = mulberry32(Math.imul(seed + 1, 0x9e3779b1) + index);
    const most = within?.[1] ?? (type.kind === "pointer" ? 0n : type.kind === "bool" ? 1n : 11n);
    const value = own === undefined ? BigInt(Math.floor(next() * 12)) % (most + 1n) : sample[own]!;
    given[index] = value;
    return value;
  };
}

/**
 * Where a place is read several times, an input of the condition may be one behind a folded loop: counted from the end,
 * too, the inputs that a run has read must satisfy the condition, or else it is not about that run.
 */
export function mayBeOutside(
  claim: Claim,
  recorded: readonly RecordedInput[],
  read: readonly RecordedInput[],
): boolean {
  const fromEnd = recorded.map((input, i) => {
    const isHere = (other: RecordedInput) => other.function === input.function && other.edge === input.edge;
    const behind = recorded.slice(i + 1).filter(isHere).length;
    return read.filter(isHere).at(-1 - behind)?.value ?? null;
  });
  return satisfies(claim, (index) => fromEnd[index] ?? null) === false;
}
