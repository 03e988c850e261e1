import { controlFlowOf } from "../../ir/controlFlow.ts";
import { loopRange } from "../../ir/loopRange.ts";
import { loopsOf } from "../../ir/loops.ts";
import type { Program } from "../../ir/program.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";
import { type Certificate, certificateOf, certificateSize } from "../../regions/certificate.ts";
import type { Head, ProgramModel } from "../../regions/programModel.ts";
import { placeStyle } from "../../symbolic/placeStyle.ts";
import { describeFormula } from "../formula.ts";
import { describeInput, describeOutcome } from "../run/describeRun.ts";
import type { Verdict } from "./verdict.ts";
import type { Verification, VerifyOptions } from "./verifyOptions.ts";
import type { HeadInvariant, VerifyReport } from "./verifyReport.ts";
import type { WitnessReport } from "./witnessReport.ts";

export type AboutVerification = {
  readonly version: string;
  readonly ms: number;
  /** The command that runs the program with these inputs. */
  replay(inputs: readonly string[]): string;
};

export function describeVerification(
  program: Program,
  { verdict, log, model, known, solver, tree }: Verification,
  { property }: Pick<VerifyOptions, "property">,
  about: AboutVerification,
  witness: WitnessReport | null = null,
): VerifyReport {
  const outcome = verdict.kind === "unsafe" ? describeOutcome(program, verdict.trace.outcome) : null;
  const inputs = verdict.kind === "unsafe" ? verdict.trace.inputs : [];
  return {
    schema: 1,
    tool: { name: "tracefold", version: about.version },
    command: "verify",
    status: verdict.kind === "safe" ? "ok" : verdict.kind === "unsafe" ? "failed" : "unknown",
    program: {
      files: program.files.map(({ path, sha256 }) => ({ path, sha256 })),
      entry: program.functions[program.entry]!.name,
    },
    target: null,
    dataModel: program.dataModel,
    property,
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
    outcome,
    inputs: inputs.map((input) => describeInput(program, input)),
    replay: verdict.kind === "unsafe" ? about.replay(inputs.map(({ value }) => `${value}`)) : null,
    engines: log,
    regions: model?.regions.length ?? 0,
    states: tree?.states ?? 0,
    subsumed: tree?.subsumed ?? 0,
    witness,
    notes: program.notes.map(({ message, range }) => ({ message, location: range })),
    stats: { ms: about.ms, solver },
    unknowns: verdict.kind === "unknown" ? verdict.reasons : [],
  };
}

/** So many conjuncts of a head are told where they are not enough. */
const mostTold = 12;

/** What is known where no verdict is. */
function partOf(model: ProgramModel, known: Verification["known"]): Certificate {
  return certificateOf(model, new Map([...known].map(([key, list]) => [key, list.slice(0, mostTold)])));
}

function checkedCertificate(verdict: Verdict & { kind: "safe" }): VerifyReport["certificate"] {
  const { certificate, checkedBy, questions, checkMs } = verdict;
  const { kind, depth } = certificate;
  return { kind, depth, checkedBy, questions, size: certificateSize(certificate), ms: checkMs };
}

/** The invariants in the words of the source. */
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
  const loop = loopsOf(node.function).loopWithHeader(node.location);
  const location =
    loop === null ? controlFlowOf(node.function).outgoing[node.location]![0]!.range : loopRange(node.function, loop);
  return { location, function: node.function.name, calls };
}
