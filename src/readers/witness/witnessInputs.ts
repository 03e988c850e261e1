import type { Waypoint, WitnessRun } from "./witnessRun.ts";

/** A value that a witness gives to what a call returned (`name` is null) or to a variable. */
export type WitnessValue = {
  readonly name: string | null;
  readonly value: bigint;
  readonly waypoint: Waypoint;
};

/**
 * The concrete values among the waypoints that a run has to follow, in order: `\result == 7` of a function_return, and the
 * equations `n == 7` between `&&` of an assumption. Other constraints are conditions for whoever searches a run.
 */
export function witnessValues({ waypoints }: WitnessRun): WitnessValue[] {
  return waypoints.flatMap((waypoint): WitnessValue[] => {
    if (waypoint.action !== "follow" || waypoint.constraint === null) return [];
    const { value } = waypoint.constraint;
    if (waypoint.type === "function_return")
      return resultOf(value).map((found) => ({ name: null, value: found, waypoint }));
    if (waypoint.type !== "assumption" || value.includes("||")) return [];
    return value.split("&&").flatMap((part) => equation(part).map((found) => ({ ...found, waypoint })));
  });
}

function resultOf(constraint: string): bigint[] {
  const match = /^\s*\(*\s*\\result\s*==\s*\(*\s*(-?\s*\w+)\s*\)*\s*$/.exec(constraint);
  return match === null ? [] : integer(match[1]!);
}

function equation(part: string): { readonly name: string; readonly value: bigint }[] {
  const bare = part.replaceAll(/[()]/g, " ").trim();
  const forward = /^([A-Za-z_]\w*)\s*==\s*(-?\s*\w+)$/.exec(bare);
  const backward = /^(-?\s*\d\w*)\s*==\s*([A-Za-z_]\w*)$/.exec(bare);
  const [name, text] = forward !== null ? [forward[1]!, forward[2]!] : [backward?.[2], backward?.[1]];
  if (name === undefined || text === undefined) return [];
  return integer(text).map((value) => ({ name, value }));
}

/** C's integer constants: decimal, hexadecimal or octal, with a sign and suffixes. */
function integer(text: string): bigint[] {
  const match = /^(-?)\s*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$/.exec(text);
  if (match === null) return [];
  const digits = match[2]!;
  if (/^0\d/.test(digits) && /[89]/.test(digits)) return [];
  const magnitude = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return [match[1] === "-" ? -magnitude : magnitude];
}
