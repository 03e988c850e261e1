import type { CallSite, Explained, WhatIf } from "../../explain/explanation.ts";
import { physicalLocation, type SarifLocation } from "./location.ts";

/** Suspects that a result refers to. */
const mostSuspects = 5;

/** `rounds is 41, n is 40; look at main:10: with < here the run passes`, or null where nothing is known. */
export function reasonOf({ failure, suspects }: Explained): string | null {
  const values = (failure.condition?.operands ?? []).map(({ text, value }) => `${text} is ${value}`);
  const [first] = suspects;
  const best = first?.whatIfs[0];
  const look =
    first === undefined || best === undefined
      ? []
      : [`look at ${first.function}:${first.location.line}: ${whatIfText(best)}`];
  const parts = [...(values.length === 0 ? [] : [values.join(", ")]), ...look];
  return parts.length === 0 ? null : parts.join("; ");
}

/** The likeliest suspects, each with the change that helped. */
export function suspectLocations({ suspects }: Explained, firstId: number): readonly SarifLocation[] {
  return suspects
    .filter(({ whatIfs }) => whatIfs.length > 0)
    .slice(0, mostSuspects)
    .map(({ location, function: name, whatIfs }, i) => ({
      id: firstId + i,
      physicalLocation: physicalLocation(location),
      logicalLocations: [{ name, kind: "function" }],
      message: { text: `suspect ${i + 1}: ${whatIfText(whatIfs[0]!)}` },
    }));
}

export type SarifStack = {
  readonly message: { readonly text: string };
  readonly frames: readonly { readonly location: SarifLocation }[];
};

/** Where it failed, with the calls under way; of a block also where it was allocated and freed. */
export function stacksOf({ failure }: Explained): readonly SarifStack[] {
  const { location, function: name, stack, places } = failure;
  const own = { what: "failed", calls: [{ function: name, location }, ...stack] };
  const stacks = places.length > 0 ? places : stack.length > 0 ? [own] : [];
  return stacks.map(({ what, calls }) => ({ message: { text: what }, frames: calls.map(frame) }));
}

function frame({ function: name, location }: CallSite): { readonly location: SarifLocation } {
  return { location: { physicalLocation: physicalLocation(location), logicalLocations: [{ name, kind: "function" }] } };
}

function whatIfText({ text, level, passingRuns: { asked, broken } }: WhatIf): string {
  const effect = level === "passes" ? "the run passes" : "the run gets past this failure";
  return `${text} ${effect}${asked === 0 ? "" : `; ${broken} of ${asked} passing runs break`}`;
}
