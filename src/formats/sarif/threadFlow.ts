import type { ExplanationStep } from "../../explain/explainReport.ts";
import { stepDepths } from "../../explain/stepDepths.ts";
import { physicalLocation, type SarifLocation } from "./location.ts";

export type ThreadFlowLocation = {
  readonly location: SarifLocation;
  readonly kinds?: readonly string[];
  readonly nestingLevel: number;
  readonly executionOrder: number;
  readonly importance: "essential" | "unimportant";
  readonly state?: State;
};

export type ThreadFlow = { readonly initialState?: State; readonly locations: readonly ThreadFlowLocation[] };

/** Values of variables and, as `true`, the facts that hold. */
type State = Readonly<Record<string, { readonly text: string }>>;

type Fact = ExplanationStep & { readonly kind: "fact" };
type Place = Exclude<ExplanationStep, Fact>;

/** A place of the explanation with the facts that hold from there to the next place. */
type Stop = { readonly step: Place; readonly depth: number; readonly facts: Fact[] };

export function threadFlow(steps: readonly ExplanationStep[], entry: string): ThreadFlow {
  const depths = stepDepths(steps, entry);
  const before: Fact[] = [];
  const stops: Stop[] = [];
  for (const [i, step] of steps.entries()) {
    if (step.kind !== "fact") stops.push({ step, depth: depths[i]!, facts: [] });
    else (stops.at(-1)?.facts ?? before).push(step);
  }
  const locations = stops.map((stop, i) => flowLocation(stop, i === 0 ? before : [], i));
  return { ...(before.length === 0 ? {} : { initialState: stateOf([], before) }), locations };
}

function flowLocation({ step, depth, facts }: Stop, before: readonly Fact[], index: number): ThreadFlowLocation {
  const writes = step.kind === "statement" ? step.writes : [];
  const state = stateOf(writes, facts, step.kind === "loop" ? [step.formula] : []);
  const kind = step.kind === "loop" ? ["loop"] : step.kind === "target" ? ["danger"] : null;
  return {
    location: {
      physicalLocation: physicalLocation(step.location),
      logicalLocations: [{ name: step.function, kind: "function" }],
      message: { text: message(step, facts, before) },
    },
    ...(kind === null ? {} : { kinds: kind }),
    nestingLevel: depth,
    executionOrder: index + 1,
    importance: step.kind === "statement" && step.role !== undefined ? "unimportant" : "essential",
    ...(Object.keys(state).length === 0 ? {} : { state }),
  };
}

/** Most viewers show nothing but this, so the facts are in it too. */
function message(step: Place, facts: readonly Fact[], before: readonly Fact[]): string {
  const given = before.length === 0 ? "" : `given ${formulas(before)}: `;
  const after = facts.length === 0 ? "" : ` (now ${formulas(facts)})`;
  switch (step.kind) {
    case "statement":
      return `${given}${step.text}${after}`;
    case "loop":
      return `${given}${step.text}: ${step.iterations} iterations, each time ${step.formula}${after}`;
    case "target":
      return `${given}${step.text}, but ${step.formula}`;
  }
}

function formulas(facts: readonly Fact[]): string {
  return facts.map((fact) => fact.formula).join(", ");
}

function stateOf(
  values: readonly { readonly name: string; readonly value: number | string }[],
  facts: readonly Fact[],
  invariants: readonly string[] = [],
): State {
  const all = new Map<string, string>();
  for (const { name, value } of [...values, ...facts.flatMap((fact) => fact.variables)]) all.set(name, `${value}`);
  for (const formula of [...invariants, ...facts.map((fact) => fact.formula)]) all.set(formula, "true");
  return Object.fromEntries([...all].map(([name, text]) => [name, { text }]));
}
