import { describeChange } from "../../analyses/counterfactual/describeChange.ts";
import type { TriedChange, WhatIfOf } from "../../analyses/counterfactual/suspect.ts";
import { nth, present } from "../../base/checked.ts";
import { rangeBetweenOffsets } from "../../base/sourceFile.ts";
import { isWithin } from "../../base/sourceRange.ts";
import { describeTextChange } from "../../changes/change.ts";
import type { Trace } from "../../interpreter/trace.ts";
import { sourceOfExpression } from "../../ir/printOperation.ts";
import type { Program } from "../../ir/program.ts";
import { sourceTextAt } from "../../ir/source.ts";
import type { SolverStatistics } from "../../solver/decorators/diagnostics.ts";
import {
  type About,
  describeNotes,
  describeProgram,
  mostOpenStatements,
  reportHead,
  solverStats,
} from "../common/result.ts";
import { describeInput, describeOutcome } from "../run/describeRun.ts";
import type { ProvedPart } from "./describeProof.ts";
import type { ExplainedRun } from "./proveExplanation.ts";
import type { Explained, Explanation, ExplanationHead, Failure, Suspect, TextChange, WhatIf } from "./result.ts";
import type { PrintPlaced } from "./why/printValue.ts";
import { type SuspectStep, suspectSteps } from "./why/suspectSteps.ts";
import { describeWhys, type Why } from "./why/whyGraph.ts";

/** The common head of all explanations of a run. */
export function headOf(
  trace: Trace,
  about: About,
  more: {
    readonly status?: ExplanationHead["status"];
    readonly notes?: ExplanationHead["notes"];
    readonly solver?: SolverStatistics | undefined;
  } = {},
): ExplanationHead {
  const { program } = trace;
  return {
    ...reportHead("explain", about),
    status: more.status ?? "ok",
    program: describeProgram(program),
    dataModel: program.dataModel,
    outcome: describeOutcome(program, trace.outcome),
    inputs: trace.inputs.map((input) => ({ ...describeInput(program, input), step: input.step + 1 })),
    trace: { steps: trace.steps },
    notes: more.notes ?? describeNotes(program.notes),
    stats: solverStats(about, more.solver),
    unknowns: [],
  };
}

export const withoutWhys: Pick<Explained, "questions" | "graph" | "suspects"> = {
  questions: [],
  graph: { source: "run", starts: [], failingLines: [], nodes: [], edges: [], left: 0 },
  suspects: [],
};

export const withoutProof: Pick<
  Explained,
  "folding" | "loops" | "argument" | "inputCondition" | "reproducer" | "proof"
> = {
  folding: null,
  loops: [],
  argument: null,
  inputCondition: null,
  reproducer: null,
  proof: { triples: 0, checked: false, checker: null, failures: [] },
};

/** The optional parts of a failure, all empty. */
export const bareFailure: Pick<Failure, "isTested" | "stack" | "condition" | "places" | "printed"> = {
  isTested: false,
  stack: [],
  condition: null,
  places: [],
  printed: null,
};

/** Joins the observed part and the proved part into one explanation. */
export function joinExplanation(
  trace: Trace,
  about: About,
  why: Why,
  tried: readonly SuspectStep["suspect"][],
  proved: ExplainedRun | null,
  part: ProvedPart,
): Explanation {
  if (trace.program.watched !== undefined) return answerOf(trace, about, why, proved, part);
  const steps = provedSteps(proved);
  const suspected = suspectSteps(why, tried);
  const { suspects, print, ...whys } = describeWhys(why, suspected, (step) => steps.has(step));
  // The observed part explains the run, but a cancelled proof leaves the question open.
  const status = part.isCutOff ? "unknown" : "ok";
  return {
    ...headOf(trace, about, { ...part, status }),
    kind: "explained",
    unknowns: part.isCutOff ? part.unknowns : [],
    ...whys,
    suspects: suspected.map((each, i) => describeSuspect(trace.program, each, nth(suspects, i), print)),
    ...provedFields(part),
  };
}

/** A condition that the user asked about is explained by logic, or by what was observed. */
function answerOf(trace: Trace, about: About, why: Why, proved: ExplainedRun | null, part: ProvedPart): Explanation {
  const head = { ...headOf(trace, about, part), unknowns: part.unknowns };
  const { folding, argument } = part;
  if (
    folding === null ||
    argument === null ||
    (part.missing.length > 0 && argument.steps.length > mostOpenStatements)
  ) {
    if (why.root.failure.kind === "condition") return observedAnswer(trace, about, why, part);
    const isStopped = proved !== null && proved.cancelled !== null;
    return { ...head, kind: isStopped ? "interrupted" : "notExplained", failure: null };
  }
  const { formula, location } = folding.target;
  return {
    ...head,
    kind: "explained",
    failure: {
      ...bareFailure,
      kind: "condition",
      message: `${formula} holds`,
      location,
      function: present(argument.steps.at(-1)).function,
    },
    ...withoutWhys,
    ...provedFields(part),
  };
}

/** Where the values of the condition came from on this run. */
function observedAnswer(trace: Trace, about: About, why: Why, part: ProvedPart): Explanation {
  const { suspects: _, print: __, ...whys } = describeWhys(why, [], () => false);
  return {
    ...headOf(trace, about, { ...part, status: "unknown" }),
    kind: "explained",
    unknowns: part.isCutOff ? part.unknowns : [],
    ...whys,
    failure: { ...whys.failure, ...askedCondition(why) },
    suspects: [],
    ...withoutProof,
    missing: part.missing,
  };
}

function askedCondition({ graph, root: { failure } }: Why): Pick<Failure, "kind" | "message" | "location"> {
  const { program } = graph.trace;
  const deciding = failure.kind === "condition" ? failure.deciding : [];
  const texts = deciding.flatMap((step) => {
    const { operation } = graph.edge(step);
    if (operation.kind !== "assume") return [];
    const text = sourceOfExpression(program, operation.condition);
    return [operation.negated ? `!(${text})` : text];
  });
  const location = graph.edge(failure.step).range;
  return { kind: "condition", message: `${texts.join(" && ")} holds`, location };
}

function provedFields({ folding, loops, argument, inputCondition, reproducer, proof, missing }: ProvedPart) {
  return { folding, loops, argument, inputCondition, reproducer, proof, missing } satisfies Partial<Explained>;
}

/** The steps that are part of a checked proof. */
function provedSteps(proved: ExplainedRun | null): ReadonlySet<number> {
  if (proved === null || proved.abstraction === null || !proved.proof.checked) return new Set();
  return new Set(proved.abstraction.relevant.flatMap(({ origin }) => (origin.kind === "step" ? [origin.step] : [])));
}

function describeSuspect(
  program: Program,
  { suspect, statement }: SuspectStep,
  place: Pick<Suspect, "node" | "operand" | "way">,
  print: PrintPlaced,
): Suspect {
  const { range, function: fn, whatIf, changes, flip, value, omission } = suspect;
  // The change of a copy skipped nothing.
  const isSkipped = omission !== null && !isWithin(range, omission.write.range);
  const skips = isSkipped ? sourceTextAt(program, omission.write.range) : null;
  const tried = new Set<TriedChange>([whatIf, flip, value].filter((each) => each !== null));
  return {
    location: range,
    function: fn.name,
    text: sourceTextAt(program, range) ?? "",
    statement,
    weight: Math.round(1e6 * suspect.weight) / 1e6,
    certainty: suspect.certainty,
    ...place,
    whatIfs: [...tried].filter(isTold).map((each) => describeTried(program, each, print)),
    changes: changes.map((each) => describeTextChangeOf(program, each)),
    ...(skips === null ? {} : { skips: skips.replace(/;$/, "") }),
  };
}

/** A change is told only if its text was run as a program of its own; a value only if it is not the expected answer. */
function isTold(tried: TriedChange): boolean {
  return tried.kind === "change" ? tried.confirmed : tried.kind === "flip" || !tried.avoids;
}

function describeTextChangeOf(
  program: Program,
  { change, level, avoids, asked, broken, stillFailing, confirmed }: WhatIfOf<"change">,
): TextChange {
  const file = present(program.files.find(({ path }) => path === change.file));
  return {
    kind: change.kind,
    text: describeTextChange(file.text, change).text,
    edits: change.edits.map(({ start, end, text }) => ({ location: rangeBetweenOffsets(file, start, end), text })),
    level,
    avoids,
    tests: { asked, broken, stillFailing },
    confirmed,
  };
}

function describeTried(program: Program, whatIf: TriedChange, print: PrintPlaced): WhatIf {
  const { asked, broken, stillFailing } =
    whatIf.kind === "change" ? whatIf : { asked: 0, broken: [], stillFailing: [] };
  return {
    kind: whatIf.kind,
    ...describeChange(program, whatIf, print),
    level: whatIf.level === "passes" ? "passes" : "getsPast",
    passingRuns: { asked, broken: broken.length, stillFailing: stillFailing.length },
  };
}
