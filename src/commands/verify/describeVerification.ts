import { nth } from "../../base/checked.ts";
import { type Certificate, certificateOf, certificateSize } from "../../cutpoints/certificate.ts";
import { headRange } from "../../cutpoints/headRange.ts";
import { isErrorEnd } from "../../cutpoints/obligation.ts";
import type { Head, ProgramModel } from "../../cutpoints/programModel.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { reachableFunctions } from "../../ir/calls.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Program } from "../../ir/program.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";
import { rangeOf } from "../../logic/range.ts";
import type { Term } from "../../logic/term.ts";
import { placeStyle } from "../../symbolic/placeStyle.ts";
import { describeFormula, describeNotes, describeProgram, reportHead } from "../common/result.ts";
import { describeInput, describeOutcome } from "../run/describeRun.ts";
import type { HeadInvariant, VerifyReport, WitnessReport } from "./result.ts";
import type { Verdict, Verification, VerifyOptions } from "./verification.ts";

export type AboutVerification = {
  readonly version: string;
  readonly ms: number;
  /** Builds the command that runs the program with these inputs. */
  replay(inputs: readonly string[], steps: number): string;
};

export function describeVerification(
  program: Program,
  { verdict, log, model, known, solver, tree }: Verification,
  { property, arithmetic = "stop" }: Pick<VerifyOptions, "property" | "arithmetic">,
  about: AboutVerification,
  witness: WitnessReport | null = null,
): VerifyReport {
  const outcome = verdict.kind === "unsafe" ? describeOutcome(program, verdict.trace.outcome) : null;
  const inputs = verdict.kind === "unsafe" ? verdict.trace.inputs : [];
  const described = (trace: Trace) => ({
    outcome: describeOutcome(program, trace.outcome),
    inputs: trace.inputs.map((input) => describeInput(program, input)),
    replay: about.replay(
      trace.inputs.map(({ value }) => `${value}`),
      trace.steps,
    ),
  });
  return {
    ...reportHead("verify", about),
    status: verdict.kind === "safe" ? "ok" : verdict.kind === "unsafe" ? "failed" : "unknown",
    program: describeProgram(program),
    target: null,
    dataModel: program.dataModel,
    property,
    arithmetic,
    verdict: verdict.kind,
    engine: verdict.kind === "unknown" ? null : verdict.engine,
    invariants:
      model === null || verdict.kind === "unsafe"
        ? []
        : invariantsOf(model, verdict.kind === "safe" ? verdict.certificate : partOf(model, known)),
    certificate: verdict.kind === "safe" ? checkedCertificate(verdict) : null,
    assumptions:
      verdict.kind === "safe"
        ? verdict.assumptions.map(({ behaviour, range }) => ({ behaviour, location: range }))
        : [],
    exception: verdict.kind === "safe" && verdict.exception !== null ? described(verdict.exception) : null,
    outcome,
    inputs: inputs.map((input) => describeInput(program, input)),
    replay: verdict.kind === "unsafe" ? described(verdict.trace).replay : null,
    engines: log,
    regions: model?.regions.length ?? 0,
    states: tree?.states ?? 0,
    subsumed: tree?.subsumed ?? 0,
    witness,
    notes: describeNotes([...program.notes, ...emptyClaim(program, property, verdict)]),
    stats: { ms: about.ms, solver },
    unknowns: verdict.kind === "unknown" ? verdict.reasons : [],
  };
}

/** A program without assertions has no failing assertion: say so. */
function emptyClaim(program: Program, property: VerifyOptions["property"], verdict: Verdict): Program["notes"] {
  if (property !== "assert" || verdict.kind !== "safe") return [];
  const edges = [...reachableFunctions(program)].flatMap((id) => nth(program.functions, id).edges);
  const isClaim = edges.some(({ operation }) => operation.kind === "fail" && isErrorEnd(property, operation));
  const entry = nth(program.functions, program.entry).edges[0];
  if (isClaim || entry === undefined) return [];
  const others = "overflow, bounds, null, div-by-zero, uninitialised or all";
  return [{ message: `there is no assertion to fail; --property asks for ${others}`, range: entry.range }];
}

const mostTold = 12;
const mostObligations = 1000;

/** The known invariants, if there is no verdict. */
function partOf(model: ProgramModel, known: Verification["known"]): Certificate {
  const told = (list: readonly Term[]) => list.filter((formula) => !isOfType(model, formula)).slice(0, mostTold);
  return certificateOf(model, new Map([...known].map(([key, list]) => [key, told(list)])));
}

/** A conjunct that holds for every value of the type is hidden. */
function isOfType({ symbols }: ProgramModel, formula: Term): boolean {
  const atom = formula.kind === "not" ? formula.operand : formula;
  if (atom.kind !== "le" && atom.kind !== "eq") return false;
  const { min, max } = rangeOf(atom.sum, symbols.range);
  if (formula.kind === "le") return max !== null && max <= atom.bound;
  return formula.kind === "not" && ((max !== null && max < atom.bound) || (min !== null && min > atom.bound));
}

function checkedCertificate(verdict: Verdict & { kind: "safe" }): VerifyReport["certificate"] {
  const { certificate, checkedBy, questions, checkMs } = verdict;
  const { kind, depth } = certificate;
  const obligations = verdict.obligations
    .slice(0, mostObligations)
    .map(({ kind, text, range }) => ({ kind, text, location: range }));
  return { kind, depth, checkedBy, questions, size: certificateSize(certificate), ms: checkMs, obligations };
}

/** The invariants in source syntax. */
export function invariantsOf(model: ProgramModel, certificate: Certificate): readonly HeadInvariant[] {
  return [...model.heads.values()].map((head): HeadInvariant => {
    const texts = certificate.invariants.get(head.key) ?? [];
    const terms = texts.map((text) => parseSmtLib(model.terms, text, (name) => certificate.sorts.get(name) ?? null));
    const style = placeStyle(model.symbols, terms);
    return { ...placeOf(head), conjuncts: terms.map((term) => describeFormula(model.symbols, term, style)) };
  });
}

function placeOf({ node }: Head): Omit<HeadInvariant, "conjuncts"> {
  const calls: string[] = [];
  for (let { context } = node; context !== null; context = context.caller.context) {
    calls.unshift(context.caller.function.name);
  }
  const begins = nth(nth(controlFlowOf(node.function).outgoing, node.location), 0).range;
  return { location: headRange({ node }), begins, function: node.function.name, calls };
}
