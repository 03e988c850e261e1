import type { CoveredInputs } from "../../analyses/explore/coveredRuns.ts";
import type { ExplainFailure } from "../../analyses/explore/openTargets.ts";
import { inputTypeKey } from "../../analyses/explore/transfer.ts";
import { cancelledAfter } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { fuzzEntry } from "../../ir/reservedNames.ts";
import { printSmtLib } from "../../logic/printSmtLib.ts";
import { bindsTightly, cStyle, printSource, type SourceStyle } from "../../logic/printSource.ts";
import type { Select, Term, Variable } from "../../logic/term.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import { checkedProof } from "../../proof/checkObligations.ts";
import type { OpenPoint } from "../../recordedRun/generalized/runObligation.ts";
import { type ExplainedRun, type ExplainOptions, proveExplanation } from "./proveExplanation.ts";
import type { ClaimProof, InputCondition, OpenClaim } from "./result.ts";
import { printCharacter } from "./why/printValue.ts";

export function describeInputCondition(run: ExplainedRun): InputCondition {
  const { condition, trace } = run;
  const names = inputNames(condition.inputs, trace);
  for (const [i, { variable }] of condition.bytes.entries()) names.set(variable, `byte ${i + 1}`);
  const verb = trace.program.watched === undefined ? "fails" : "holds";
  const bytes = new Set(condition.bytes.map(({ variable }) => variable));
  const style = {
    ...cStyle,
    nameOf: (variable: Variable) => names.get(variable) ?? variable.name,
    literalOf: (compared: Variable | Select, value: bigint) =>
      compared.kind === "variable" && bytes.has(compared) ? printCharacter(Number(value)) : null,
  };
  const fixed = condition.kind === "claimed" ? condition.fixed : new Set<number>();
  const numbers = numbersOf(condition, names);
  const conjuncts = [
    ...condition.formulas.map((formula) => conjunctOf(formula, style, numbers)),
    ...[...fixed].map((index) => fixedInput(index + 1, nth(trace.inputs, index).value)),
  ];
  const proof = proofOf(run);
  const described = {
    ...(bytes.size === 0 ? {} : { bytes: bytes.size }),
    formulas: conjuncts.map(({ text }) => text),
    open: [],
    irrelevant: [],
    proved: proof.status === "checked",
    proof,
  };
  if (condition.kind === "noInputs") {
    return { ...described, claims: "total", text: `the program reads no inputs: it always ${verb} like this` };
  }
  if (condition.kind === "none") {
    return { ...described, claims: "none", text: "it is not proved for which other inputs the same happens" };
  }
  const mentioned = new Set(freeVariablesOf(condition.formulas));
  const isSameWay = condition.open.some(({ kind }) => kind === "way");
  // While branches are open, any input may decide them, so no input is irrelevant.
  const irrelevant = condition.inputs.flatMap((variable, index) =>
    isSameWay || fixed.has(index) || (variable !== null && mentioned.has(variable)) ? [] : [index],
  );
  const open = openClaims(condition.open);
  const said = conditionSentence(conjuncts, irrelevant, condition.inputs, open, names, verb);
  const source = nth(trace.program.functions, trace.program.entry).name === fuzzEntry ? "data" : "standard input";
  const text = bytes.size === 0 ? said : `${said} (of ${trace.settings.stdin.length} bytes of ${source})`;
  const claims = isSameWay ? "samePath" : open.length > 0 ? "ifTerminates" : "total";
  return { ...described, claims, open, irrelevant, text };
}

type Numbered = { readonly word: "input" | "byte"; readonly number: number };

/** The inputs and bytes that have only a number as their name. */
function numbersOf(
  { inputs, bytes }: ExplainedRun["condition"],
  names: ReadonlyMap<Variable, string>,
): ReadonlyMap<Variable, Numbered> {
  const numbers = new Map<Variable, Numbered>();
  for (const [i, variable] of inputs.entries()) {
    if (variable !== null && names.get(variable) === `input ${i + 1}`)
      numbers.set(variable, { word: "input", number: i + 1 });
  }
  for (const [i, { variable }] of bytes.entries()) numbers.set(variable, { word: "byte", number: i + 1 });
  return numbers;
}

function conjunctOf(formula: Term, style: SourceStyle, numbers: ReadonlyMap<Variable, Numbered>): Conjunct {
  const variable = comparedVariable(formula);
  const numbered = variable === null ? undefined : numbers.get(variable);
  return {
    text: printSource(formula, style),
    tight: bindsTightly(formula, style),
    one:
      numbered === undefined
        ? null
        : { ...numbered, say: (what) => printSource(formula, { ...style, nameOf: () => what }) },
  };
}

/** The variable that a formula compares with a number; null for other formulas. */
function comparedVariable(formula: Term): Variable | null {
  const atom = formula.kind === "not" ? formula.operand : formula;
  if (atom.kind !== "eq" && atom.kind !== "le") return null;
  const [only, ...others] = atom.sum.kind === "sum" ? atom.sum.monomials : [{ coefficient: 1n, term: atom.sum }];
  const isAlone = others.length === 0 && (only?.coefficient === 1n || only?.coefficient === -1n);
  return isAlone && only!.term.kind === "variable" ? only!.term : null;
}

function fixedInput(number: number, value: bigint | number): Conjunct {
  const say = (what: string) => `${what} == ${value}`;
  return { text: say(`input ${number}`), tight: true, one: { word: "input", number, say } };
}

function proofOf({ condition, conditionProof, proof }: ExplainedRun): ClaimProof {
  const check = condition.kind === "noInputs" ? proof : conditionProof;
  const checked = condition.kind === "none" ? null : checkedProof(check);
  if (checked !== null) return { status: "checked", ...checked };
  if (condition.kind === "none") return { status: "not checked", reason: "nothing is claimed" };
  const failed = check.verdicts.filter(({ answer }) => answer !== "proved").length;
  const reason = check.interrupted
    ? "the check was ended before it was done"
    : `${failed} of ${check.obligations.length} conditions were not accepted`;
  return { status: "not checked", reason };
}

/** The variable that one input was read into; otherwise the input's number. */
function inputNames(inputs: readonly (Variable | null)[], trace: ExplainedRun["trace"]): Map<Variable, string> {
  const { program } = trace;
  const targets = trace.inputs.map(({ function: fn, edge }) => {
    const { operation } = nth(nth(program.functions, fn).edges, edge);
    const target = operation.kind === "input" ? nth(program.variables, operation.target) : null;
    return target === null || target.madeUp ? null : target.name;
  });
  const names = new Map<Variable, string>();
  inputs.forEach((variable, i) => {
    if (variable === null) return;
    const name = targets[i] ?? null;
    const unique = name !== null && targets.filter((other) => other === name).length === 1;
    names.set(variable, unique ? name : `input ${i + 1}`);
  });
  return names;
}

export type Conjunct = {
  readonly text: string;
  /** True if it needs no parentheses beside `&&`. */
  readonly tight: boolean;
  /** Set if it compares one unnamed input or byte with a number; `say` prints the same for another name. */
  readonly one: { readonly word: "input" | "byte"; readonly number: number; say(what: string): string } | null;
};

/** The claim about other inputs: `fails the same way whenever n >= 1; input 2 does not matter`. */
export function conditionSentence(
  conjuncts: readonly Conjunct[],
  irrelevant: readonly number[],
  inputs: readonly (Variable | null)[],
  open: InputCondition["open"],
  names: ReadonlyMap<Variable, string>,
  verb: "fails" | "holds",
): string {
  const indifferent =
    irrelevant.length === 0
      ? ""
      : `${listInputs(irrelevant, inputs, names)} ${irrelevant.length === 1 ? "does" : "do"} not matter`;
  const whenever = conjuncts.length === 0 ? "whatever the inputs are" : `whenever ${shortened(conjuncts)}`;
  const main = `${verb} the same way ${whenever}${openText(open)}`;
  return indifferent === "" ? main : `${main}; ${indifferent}`;
}

/** Longer formulas are only in the report's list. */
const longestFormula = 80;
const mostFormulas = 10;
const fewestAlike = 3;

function shortened(all: readonly Conjunct[]): string {
  const grouped = groupedAlike(all);
  const short = grouped.filter(({ text }) => text.length <= longestFormula).slice(0, mostFormulas);
  const texts = short.map(({ text, tight }) => (tight || short.length === 1 ? text : `(${text})`));
  const rest = grouped.length - short.length;
  const more = `${rest} more ${rest === 1 ? "condition" : "conditions"} (--format json has them)`;
  return [...texts, ...(rest === 0 ? [] : [more])].join(" && ");
}

/** Merges equal statements about neighbouring inputs: `inputs 1 to 12 != 0`. */
function groupedAlike(all: readonly Conjunct[]): readonly Conjunct[] {
  const said: Conjunct[] = [];
  for (let i = 0; i < all.length; ) {
    const first = nth(all, i);
    let end = i + 1;
    while (end < all.length && isNext(first, nth(all, end), end - i)) end++;
    if (first.one !== null && end - i >= fewestAlike) {
      const { word, number, say } = first.one;
      said.push({ ...first, text: say(`${word}s ${number} to ${number + end - i - 1}`) });
    } else said.push(...all.slice(i, end));
    i = end;
  }
  return said;
}

function isNext({ one: first }: Conjunct, { one: other }: Conjunct, distance: number): boolean {
  if (first === null || other === null) return false;
  return first.word === other.word && other.number === first.number + distance && first.say("it") === other.say("it");
}

/** `n`, `inputs 2 and 3`, `inputs 2 to 41`. */
function listInputs(
  indices: readonly number[],
  inputs: readonly (Variable | null)[],
  names: ReadonlyMap<Variable, string>,
): string {
  const [first] = indices;
  if (indices.length === 1) {
    const variable = inputs[first!];
    return variable == null ? `input ${first! + 1}` : (names.get(variable) ?? `input ${first! + 1}`);
  }
  const last = nth(indices, indices.length - 1);
  if (last - first! + 1 === indices.length) return `inputs ${first! + 1} to ${last + 1}`;
  return `inputs ${indices.map((index) => index + 1).join(", ")}`;
}

/** The open points of a claim, each location once. */
export function openClaims(points: readonly OpenPoint[]): readonly OpenClaim[] {
  const claims = new Map<string, OpenClaim>();
  for (const point of points) {
    const { range, kind } = point;
    if (kind === "failure") continue;
    const text = describe(point);
    claims.set(`${kind}:${range.file}:${range.line}:${range.column}:${text}`, { kind, text, location: range });
  }
  return [...claims.values()].sort(
    (a, b) => a.location.line - b.location.line || a.location.column - b.location.column,
  );
}

function describe(point: OpenPoint): string {
  switch (point.kind) {
    case "ends":
      return "the loop ends";
    case "undefined":
      return `there is no ${point.problem}`;
    case "way":
    case "failure":
      return "it goes the same way here";
  }
}

/** `, if the loop at line 10 ends and nothing undefined happens at lines 12 and 14`. */
export function openText(open: readonly OpenClaim[]): string {
  const linesOf = (kind: OpenClaim["kind"]) => [
    ...new Set(open.filter((claim) => claim.kind === kind).map(({ location }) => location.line)),
  ];
  const [ends, undefined_, ways] = [linesOf("ends"), linesOf("undefined"), linesOf("way")];
  const parts: string[] = [];
  if (ends.length > 0)
    parts.push(
      `the ${ends.length === 1 ? "loop" : "loops"} at ${listLines(ends)} ${ends.length === 1 ? "ends" : "end"}`,
    );
  if (undefined_.length > 0) parts.push(`nothing undefined happens at ${listLines(undefined_)}`);
  if (ways.length > 0) parts.push(`it goes the same way at ${listLines(ways)}`);
  return parts.length === 0 ? "" : `, if ${parts.join(", and ")}`;
}

/** More locations are only in the report's list. */
const mostLines = 4;

function listLines(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  const shown = lines.slice(0, mostLines);
  const rest = lines.length - shown.length;
  if (rest > 0) return `lines ${shown.join(", ")} and ${rest} more`;
  return `lines ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** The time limit for one of many failures. */
const milliseconds = 10_000;

/** Explains a failure found by exploration: the inputs for which the same failure is proved. */
export function inputConditionForExplore(
  trace: Trace,
  options: Pick<ExplainOptions, "solver" | "cancellation">,
): ReturnType<ExplainFailure> {
  try {
    const cancellation = cancelledAfter(milliseconds, options.cancellation);
    const run = proveExplanation(trace, { ...options, cancellation, shrink: false });
    const { text, proved, claims } = describeInputCondition(run);
    const isProved = proved && claims === "total";
    return { reason: proved ? text : null, covered: isProved ? coveredBy(run) : null };
  } catch (error) {
    // A failure that cannot be explained is still reported.
    if (error instanceof TracefoldError) return { reason: null, covered: null };
    throw error;
  }
}

/** Null if inputs are read in another order than the program's reads, which happens with lazily read memory. */
function coveredBy({ condition, trace, symbols: { terms } }: ExplainedRun): CoveredInputs | null {
  const { functions } = trace.program;
  const fixed = condition.kind === "claimed" ? condition.fixed : new Set<number>();
  const variables = condition.inputs.map((variable, i) =>
    variable === null && fixed.has(i) ? terms.variable(`fixed.${i}`, "Int") : variable,
  );
  const formulas = [
    ...condition.formulas,
    ...[...fixed].map((i) => terms.eq(variables[i]!, terms.int(nth(trace.inputs, i).value as bigint))),
  ];
  const mentioned = new Set(freeVariablesOf(formulas));
  const inputs: { readonly name: string | null; readonly type: string }[] = [];
  for (const [i, { function: fn, edge, value }] of trace.inputs.entries()) {
    const { operation } = nth(nth(functions, fn).edges, edge);
    if (operation.kind !== "input" || typeof value !== "bigint") return null;
    const variable = variables[i] ?? null;
    const name = variable !== null && mentioned.has(variable) ? variable.name : null;
    inputs.push({ name, type: inputTypeKey(operation.type) });
  }
  if (mentioned.size > inputs.filter(({ name }) => name !== null).length) return null;
  return {
    formulas: formulas.map(printSmtLib),
    sorts: Object.fromEntries([...mentioned].map(({ name, sort }) => [name, sort])),
    inputs,
  };
}
