import type { FactStretch } from "../../analyses/errorInvariants/coverTrace.ts";
import { nth, present } from "../../base/checked.ts";
import { joinFormulas } from "../../base/text.ts";
import { isBranch } from "../../ir/branches.ts";
import { loopRange } from "../../ir/loops.ts";
import { hasSourceNames, sourceNaming } from "../../ir/naming.ts";
import { precedences } from "../../ir/operators.ts";
import { printOperation, sourceOfPlace } from "../../ir/printOperation.ts";
import type { Edge, Function, Program, ProgramVariable } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { sourceLine, writtenTextAt } from "../../ir/source.ts";
import { isScalar, printType, type ScalarType } from "../../ir/type.ts";
import { printSource, type SourceStyle } from "../../logic/printSource.ts";
import { conjuncts, type Variable as Place, type Term } from "../../logic/term.ts";
import { freeVariables, freeVariablesOf, substitute } from "../../logic/traverse.ts";
import { distanceOf } from "../../recordedRun/target.ts";
import type { Transition } from "../../recordedRun/traceFormula.ts";
import { type BlockName, placeStyle, variableOfPlace } from "../../symbolic/placeStyle.ts";
import { describeFormula, type Formula, type JsonNumber, jsonNumber, loopText } from "../common/result.ts";
import type { ExplainedRun } from "./proveExplanation.ts";
import type { ArgumentStep, StepReason, VariableValue } from "./result.ts";

export type NamedRun = ExplainedRun & { readonly blockName: BlockName };

export function describeSteps(run: NamedRun, values: ReadonlyMap<number, ScalarValue>): readonly ArgumentStep[] {
  const { abstraction, trace, target } = run;
  if (abstraction === null) return [];
  const { stretches } = abstraction;
  const steps: Draft[] = [];
  for (const given of stretches) {
    const stretch = { ...given, fact: given.fact.filter((atom) => !isWay(run, atom)) };
    if (stretch.fact.length > 0 && !isInvariantOf(stretch, steps)) steps.push(draftFact(run, stretch, steps));
    const way = run.way.filter(({ index }) => index >= stretch.from && index < stretch.to);
    for (const transition of [...stretch.within, ...way].sort((a, b) => a.index - b.index)) {
      const role = way.includes(transition) ? "way" : "between";
      steps.push(inRole(role, draftTransition(run, transition, values)));
    }
    if (stretch.kept !== null) steps.push(draftTransition(run, stretch.kept, values));
  }
  const top = target.stack[target.stack.length - 1];
  if (steps.length === 0) steps.push(...rangeFacts(run));
  steps.push({
    step: {
      kind: "target",
      depth: target.stack.length - 1,
      function: top?.function.name ?? nth(trace.program.functions, trace.program.entry).name,
      text: targetText(run),
      formula: targetFormula(run),
      location: target.range,
    },
    reads: placesIn(run, [abstraction.formula.target]),
    writes: new Set(),
  });
  return steps.map(({ step }, id) => ({ ...step, id, because: becauseOf(steps, id) }) as ArgumentStep);
}

/** A step without its number, and the places that it mentions. */
type Draft = {
  readonly step: DistributiveOmit<ArgumentStep, "id" | "because">;
  readonly reads: ReadonlySet<Place>;
  readonly writes: ReadonlySet<Place>;
  /** For a folded loop: its invariant. */
  readonly loop?: readonly Term[];
  /** For a fact: its atoms. */
  readonly fact?: readonly Term[];
  readonly isBranch?: boolean;
};
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function inRole(role: "between" | "way", draft: Draft): Draft {
  return draft.step.kind === "statement" ? { ...draft, step: { ...draft.step, role } } : draft;
}

/** Branches are shown as steps, so facts that only repeat them are hidden. */
function isWay({ abstraction }: ExplainedRun, atom: Term): boolean {
  return atom.kind === "variable" && abstraction!.formula.isTaken(atom);
}

/** True if a loop or an earlier fact already states this fact. */
function isInvariantOf({ fact }: FactStretch, before: readonly Draft[]): boolean {
  const said = before.findLast(({ loop, fact: known }) => loop !== undefined || known !== undefined);
  const formulas = said?.loop ?? said?.fact;
  if (formulas === undefined || formulas.length !== fact.length) return false;
  // Repeat a fact after a statement that wrote something.
  const since = before.slice(before.indexOf(said!) + 1);
  return fact.every((atom) => formulas.includes(atom)) && since.every(({ isBranch }) => isBranch === true);
}

/** Undefined behaviour is a condition on values; other targets keep their source text. */
function targetFormula(run: NamedRun): Formula {
  const { trace, target, symbols, abstraction } = run;
  const { placeOf, target: formula } = abstraction!.formula;
  const places = new Map(
    freeVariables(formula).flatMap((variable) => {
      const place = placeOf.get(variable);
      return place === undefined ? [] : [[variable, place] as const];
    }),
  );
  const said = symbols.terms.all(conjuncts(formula).filter((part) => !isWay(run, part)));
  const overPlaces = substitute(symbols.terms, said, places);
  const described = describeFormula(symbols, overPlaces, readableStyle(run, [overPlaces]));
  const isSaid = trace.outcome.kind === "undefined-behaviour" && trace.program.watched === undefined;
  return { ...described, text: isSaid && overPlaces.kind !== "bool" ? described.text : target.text };
}

function targetText({ trace, target }: ExplainedRun): string {
  const { outcome, program } = trace;
  if (program.watched !== undefined) {
    const text = sourceLine(program, target.range.file, target.range.line);
    return text?.trim() || target.text;
  }
  switch (outcome.kind) {
    case "assertion":
      return `assert(${outcome.text})`;
    case "error-location":
    case "abort":
      return outcome.text;
    case "undefined-behaviour":
      return statementText(program, nth(nth(program.functions, outcome.at.function).edges, outcome.at.edge));
    default:
      return target.text;
  }
}

function draftFact(run: NamedRun, stretch: FactStretch, before: readonly Draft[]): Draft {
  const { symbols } = run;
  const style = readableStyle(run, stretch.fact);
  const values = stretch.fact.flatMap((atom) => fixedValue(atom, (term) => printSource(term, style)));
  const last = before[before.length - 1]?.step;
  return {
    step: {
      kind: "fact",
      function: functionOf(run, stretch)?.name ?? last?.function ?? "",
      formulas: stretch.fact
        .filter((atom, _, all) => all.length === 1 || !isBookkeeping(run, atom))
        .map((atom) => describeFormula(symbols, atom, style)),
      values,
      location: last === undefined || last.kind === "fact" ? null : last.location,
    },
    reads: placesIn(run, stretch.fact),
    writes: new Set(),
    fact: stretch.fact,
  };
}

/** True for counters of the memory model, which are no facts of the program. */
function isBookkeeping({ symbols, trace: { program } }: ExplainedRun, atom: Term): boolean {
  return freeVariables(atom).some((variable) => {
    const cell = symbols.cellOf(variable);
    return cell?.kind === "register" && nth(program.variables, cell.variable).numbers === true;
  });
}

/** Writes block sizes by the variable that was allocated, and moved pointers with their offset. */
function readableStyle(run: NamedRun, formulas: readonly Term[]): SourceStyle {
  const { symbols, blockName } = run;
  const style = placeStyle(symbols, formulas, blockName);
  const nameOf: SourceStyle["nameOf"] = (place) => {
    const owner = symbols.cellOf(place)?.kind === "size" ? allocatedFor(run, place) : null;
    if (owner !== null) return `bytes(${owner})`;
    const distance = distanceOf(place);
    if (distance === null) return style.nameOf(place);
    const { origin, name } = distance.object;
    const block = origin.kind === "heap" ? blockName(origin.number) : null;
    const from = block === null ? name : `(${block})`;
    return { text: `${printSource(distance.place, style)} - ${from}`, precedence: precedences.additive };
  };
  return { ...style, nameOf };
}

function allocatedFor({ abstraction, trace: { program } }: ExplainedRun, size: Place): string | null {
  const origin = abstraction?.formula.transitions.find(({ writes }) =>
    writes.some(({ place }) => place === size),
  )?.origin;
  if (origin?.kind !== "step" || origin.edge.operation.kind !== "callLibrary") return null;
  const { target } = origin.edge.operation;
  const { kind, name } = target === null ? { kind: "temporary", name: "" } : nth(program.variables, target);
  return kind === "temporary" ? null : name;
}

/** If no step of the run is needed, the types of the target's variables imply the target. */
function rangeFacts(run: NamedRun): Draft[] {
  const { symbols, abstraction } = run;
  const places = placesIn(run, [abstraction!.formula.target], (place) => symbols.objectWithBase(place) === null);
  const fact = [...places].flatMap((place) => conjuncts(symbols.axiom(place))).filter((atom) => atom.kind !== "bool");
  if (fact.length === 0) return [];
  const end = abstraction!.formula.transitions.length;
  return [draftFact(run, { from: end, to: end, fact, within: [], kept: null }, [])];
}

/** The function whose variables a fact mentions: the function of the next statement if possible. */
function functionOf({ symbols, trace }: ExplainedRun, { fact, kept }: FactStretch): Function | null {
  const owners = freeVariablesOf(fact).flatMap((place) => {
    const owner = variableOfPlace(symbols, place)?.function ?? null;
    return owner === null ? [] : [nth(trace.program.functions, owner)];
  });
  const next = kept?.origin.kind === "step" || kept?.origin.kind === "fold" ? kept.origin.function : null;
  return next !== null && owners.includes(next) ? next : (owners[0] ?? null);
}

/** `x == 5` gives x the value 5. */
function fixedValue(atom: Term, print: (term: Term) => string): VariableValue[] {
  if (atom.kind !== "eq" || (atom.sum.kind !== "variable" && atom.sum.kind !== "select")) return [];
  return [{ name: print(atom.sum), value: jsonNumber(atom.bound) }];
}

function draftTransition(run: NamedRun, transition: Transition, values: ReadonlyMap<number, ScalarValue>): Draft {
  const { trace, symbols } = run;
  const { program } = trace;
  const { origin } = transition;
  const defined = new Set(transition.writes.map(({ version }) => version));
  const reads = placesIn(run, [transition.formula], (variable) => !defined.has(variable));
  const writes = new Set(transition.writes.map(({ place }) => place));
  switch (origin.kind) {
    case "step": {
      return {
        step: {
          kind: "statement",
          step: origin.step + 1,
          depth: origin.depth,
          function: origin.function.name,
          text: statementText(program, origin.edge),
          location: origin.edge.range,
          writes: written(program, origin.edge, values.get(origin.step + 1)),
        },
        reads,
        writes,
        isBranch: isBranch(origin.edge),
      };
    }
    case "fold": {
      const { activation, invariant, begin } = origin.fold;
      const style = readableStyle(run, invariant);
      const range = loopRange(activation.function, activation.loop);
      return {
        step: {
          kind: "loop",
          step: begin + 1,
          depth: origin.depth,
          function: origin.function.name,
          text: loopText(sourceOf(run, range.file), range) ?? "loop",
          invariant: invariant.map((atom) => ({
            ...describeFormula(symbols, atom, style),
            ...(conjuncts(atom).some((part) => isOnlyThisRun(run, part)) ? { onlyThisRun: true } : {}),
          })),
          iterations: activation.visits.filter((visit) => visit >= begin).length - 1,
          location: range,
        },
        reads,
        writes,
        loop: invariant,
      };
    }
    case "initial": {
      const variable = variableOfPlace(symbols, origin.place);
      return {
        step: {
          kind: "statement",
          step: 0,
          depth: 0,
          function: nth(program.functions, variable?.function ?? program.initializer).name,
          text: variable === null ? "initial value" : initialText(run, variable),
          location: variable?.range ?? nth(program.functions, program.entry).range,
          writes: [],
        },
        reads: new Set(),
        writes,
      };
    }
  }
}

function isOnlyThisRun({ condition }: ExplainedRun, part: Term): boolean {
  return condition.kind === "claimed" && condition.onlyThisRun.has(part);
}

/** The text of a string literal; zero for other static variables without initialiser. */
function initialText(run: ExplainedRun, variable: ProgramVariable): string {
  if (variable.literal === undefined) return `${printType(variable.type, variable.name)} (starts as 0)`;
  const { line, endLine } = variable.range;
  return line === endLine ? (writtenTextAt(run.trace.program, variable.range) ?? "") : "string literal";
}

/** The text of an edge, without temporaries. */
function statementText(program: Program, { operation }: Edge): string {
  return printOperation(program, operation, sourceNaming(program));
}

function sourceOf({ trace }: ExplainedRun, path: string): string {
  return trace.program.files.find((file) => file.path === path)?.text ?? "";
}

/** The named number that an operation wrote on the run. */
function written(program: Program, { operation }: Edge, value: ScalarValue | undefined): VariableValue[] {
  if (value === undefined) return [];
  if (operation.kind === "store") {
    if (!hasSourceNames(program, operation.address) || !isNumber(operation.type, value)) return [];
    return [{ name: sourceOfPlace(program, operation.address), value: numberOf(value) }];
  }
  const target = "target" in operation && operation.target !== null ? nth(program.variables, operation.target) : null;
  if (target === null || target.madeUp || !isScalar(target.type) || !isNumber(target.type, value)) return [];
  return [{ name: target.name, value: numberOf(value) }];
}

function isNumber(type: ScalarType, value: ScalarValue): boolean {
  if (type.kind === "int") return type.numbersFrom === undefined || BigInt(value) < type.numbersFrom;
  return type.kind === "bool" || (type.kind === "float" && Number.isInteger(value));
}

function numberOf(value: ScalarValue): JsonNumber {
  return jsonNumber(typeof value === "number" ? BigInt(value) : value);
}

function placesIn(run: ExplainedRun, formulas: readonly Term[], counts = (_: Place) => true): Set<Place> {
  const { placeOf } = present(run.abstraction).formula;
  const variables = formulas.flatMap((formula) => freeVariables(formula)).filter(counts);
  return new Set(variables.map((variable) => placeOf.get(variable) ?? variable));
}

/** The next steps that use what this step writes or states. */
function becauseOf(steps: readonly Draft[], id: number): readonly StepReason[] {
  const { step, reads, writes } = nth(steps, id);
  const about = step.kind === "fact" ? reads : writes.size > 0 ? writes : reads;
  for (let next = id + 1; next < steps.length; next++) {
    const other = nth(steps, next);
    if (![...about].some((place) => other.reads.has(place))) continue;
    const target = other.step;
    return [{ for: next, text: `for ${nameOf(target)}` }];
  }
  return [];
}

function nameOf(step: Draft["step"]): string {
  if (step.kind === "fact") return joinFormulas(step.formulas);
  return step.kind === "target" ? step.formula.text : step.text;
}
