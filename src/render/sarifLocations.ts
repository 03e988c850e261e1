import { nth } from "../base/checked.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import { joinFormulas } from "../base/text.ts";
import { invariantParts } from "../commands/common/result.ts";
import type { ArgumentStep } from "../commands/explain/result.ts";
import type { Row } from "./chooseRows.ts";
import { stepDepths } from "./explainProofText.ts";

export type SarifLocation = ReturnType<typeof sarifLocation> & { readonly id?: number };

/** Both SARIF's end column and ours point behind the last character. */
export function sarifLocation(range: SourceRange, inFunction?: string, message?: string) {
  const { file, line, column, endLine, endColumn } = range;
  return {
    physicalLocation: {
      artifactLocation: artifactLocation(file),
      region: { startLine: line, startColumn: column, endLine, endColumn },
    },
    ...(inFunction === undefined ? {} : { logicalLocations: [{ name: inFunction, kind: "function" }] }),
    ...(message === undefined ? {} : { message: { text: message } }),
  };
}

/** Relative paths stay relative to the source root; absolute ones become `file:` URIs. */
export function artifactLocation(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  const slashes = path.replaceAll("\\", "/");
  const encoded = slashes.split("/").map(encodeURIComponent).join("/");
  if (/^[A-Za-z]:\//.test(slashes)) return { uri: `file:///${encoded.replace(/^([A-Za-z])%3A/, "$1:")}` };
  if (slashes.startsWith("/")) return { uri: `file://${encoded}` };
  return { uri: encoded.replace(/^(\.\/)+/, ""), uriBaseId: "%SRCROOT%" };
}

export type ThreadFlowLocation = {
  readonly location: SarifLocation;
  readonly kinds?: readonly string[];
  readonly nestingLevel: number;
  readonly executionOrder: number;
  readonly importance: "essential" | "unimportant";
  readonly state?: State;
};

export type ThreadFlow = { readonly initialState?: State; readonly locations: readonly ThreadFlowLocation[] };

type State = Readonly<Record<string, { readonly text: string }>>;

type Fact = ArgumentStep & { readonly kind: "fact" };
type Stop = Exclude<ArgumentStep, Fact>;

/** A location with the facts that hold until the next location. */
type StopWithFacts = { readonly step: Stop; readonly depth: number; readonly facts: Fact[] };

export function threadFlow(steps: readonly ArgumentStep[]): ThreadFlow {
  const depths = stepDepths(steps);
  const before: Fact[] = [];
  const stops: StopWithFacts[] = [];
  for (const [i, step] of steps.entries()) {
    if (step.kind !== "fact") stops.push({ step, depth: nth(depths, i), facts: [] });
    else (stops.at(-1)?.facts ?? before).push(step);
  }
  const locations = stops.map((stop, i) => flowLocation(stop, i === 0 ? before : [], i));
  return { ...(before.length === 0 ? {} : { initialState: stateOf([], before) }), locations };
}

function flowLocation(
  { step, depth, facts }: StopWithFacts,
  before: readonly Fact[],
  index: number,
): ThreadFlowLocation {
  const writes = step.kind === "statement" ? step.writes : [];
  const state = stateOf(writes, facts, step.kind === "loop" ? [joinFormulas(step.invariant)] : []);
  const kind = step.kind === "loop" ? ["loop"] : step.kind === "target" ? ["danger"] : null;
  return {
    location: sarifLocation(step.location, step.function, message(step, facts, before)),
    ...(kind === null ? {} : { kinds: kind }),
    nestingLevel: depth,
    executionOrder: index + 1,
    importance: step.kind === "statement" && step.role !== undefined ? "unimportant" : "essential",
    ...(Object.keys(state).length === 0 ? {} : { state }),
  };
}

/** The location of an observed row. */
export function rowLocation(row: Row, index: number): ThreadFlowLocation {
  const values = row.values.map(({ text, value }) => `${text} is ${value}`);
  const text = [row.text, ...row.tests.map((test) => test.text), ...values].join("; ");
  return {
    location: sarifLocation(row.location, row.function, text),
    nestingLevel: row.depth,
    executionOrder: index + 1,
    importance: row.suspect === null ? "unimportant" : "essential",
  };
}

/** The message contains the facts, because most viewers show nothing else. */
function message(step: Stop, facts: readonly Fact[], before: readonly Fact[]): string {
  const given = before.length === 0 ? "" : `given ${formulas(before)}: `;
  const after = facts.length === 0 ? "" : ` (now ${formulas(facts)})`;
  switch (step.kind) {
    case "statement":
      return `${given}${step.text}${after}`;
    case "loop": {
      const invariant = invariantParts(step.invariant).map(({ when, formulas }) => `${when} ${joinFormulas(formulas)}`);
      return `${given}${step.text}: ${step.iterations} iterations, ${invariant.join(", ")}${after}`;
    }
    case "target":
      return `${given}${step.text}, but ${step.formula.text}`;
  }
}

function formulas(facts: readonly Fact[]): string {
  return facts.map((fact) => joinFormulas(fact.formulas)).join(", ");
}

function stateOf(
  values: readonly { readonly name: string; readonly value: number | string }[],
  facts: readonly Fact[],
  invariants: readonly string[] = [],
): State {
  const all = new Map<string, string>();
  for (const { name, value } of [...values, ...facts.flatMap((fact) => fact.values)]) all.set(name, `${value}`);
  for (const formula of [...invariants, ...facts.map((fact) => joinFormulas(fact.formulas))]) all.set(formula, "true");
  return Object.fromEntries([...all].map(([name, text]) => [name, { text }]));
}
