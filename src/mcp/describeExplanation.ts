import type { Explained, Explanation, Failure, Reproducer, Suspect, TextChange } from "../commands/explain/result.ts";
import { stepOfNode } from "../recording/navigate.ts";
import type { OpenRecording } from "../recording/openRecording.ts";
import { type Row, screenOf, suspectMark } from "../render/chooseRows.ts";
import { plain } from "../render/layout.ts";
import { effectOfChange, isFix } from "../render/patch.ts";
import { counted, inputsPhrase, proofPhrase, testsPhrase } from "../render/phrases.ts";
import { cutText, stepName } from "../render/recordingText.ts";
import { claim, line, placeOf, type ToolAnswer } from "./answer.ts";
import type { OpenRun } from "./session.ts";

/** The suspects and changes that are told before the values. */
const firstSuspects = 4;
const firstChanges = 4;
const longestText = 90;

/** An explanation as claims, the most important ones first. */
export function describeExplanation(id: string, { explanation, recorded, changes }: OpenRun): ToolAnswer {
  const open = recorded?.open ?? null;
  const head = headLines(id, explanation);
  switch (explanation.kind) {
    case "doesNotFail":
      return { lines: [...head, ...noteLines(explanation, open)] };
    case "notExplained":
    case "interrupted":
      return {
        lines: [
          ...head,
          ...failureLines(explanation.failure),
          ...unknownLines(explanation),
          ...noteLines(explanation, open),
        ],
      };
    case "explained": {
      const suspects = suspectLines(explanation, changes);
      const tried = changeLines(explanation, changes);
      const next = nextStep(id, explanation, changes);
      return {
        lines: [
          ...head,
          ...failureLines(explanation.failure),
          ...suspects.slice(0, firstSuspects),
          ...tried.slice(0, firstChanges),
          ...valueLines(explanation, open),
          ...proofLines(explanation),
          ...suspects.slice(firstSuspects),
          ...tried.slice(firstChanges),
          ...furtherLines(explanation, open),
          ...unknownLines(explanation),
          ...noteLines(explanation, open),
        ],
        ...(next === undefined ? {} : { next }),
      };
    }
  }
}

function nextStep(id: string, { suspects, graph }: Explained, changes: readonly TextChange[]): string | undefined {
  if (changes.length === 0 && graph.nodes.length === 0) return undefined;
  if (changes.length > 0) return `try_change {"run":"${id}","change":"c1"}; why {"run":"${id}","step":"s…"}`;
  const place = suspects[0]?.location;
  return place === undefined
    ? `why {"run":"${id}"}`
    : `why {"run":"${id}","file":"${place.file}","line":${place.line}}`;
}

function headLines(id: string, explanation: Explanation): readonly string[] {
  const { tests, outcome, trace, inputs } = explanation;
  const reproducer = explanation.kind === "explained" ? explanation.reproducer : null;
  const what =
    tests === undefined
      ? "the program"
      : `test "${cutText(tests.explained, longestText)}" (${testsPhrase(tests.list)})`;
  const failed = tests?.list.filter(({ passes, name }) => !passes && name !== tests.explained) ?? [];
  const others = failed.map(({ name }) => `"${cutText(name, longestText)}"`);
  const ends = outcome.kind === "exit" ? "does not fail" : "fails";
  const given = inputs.length === 0 ? "" : `, inputs ${inputsPhrase(inputs)}`;
  const steps = trace.steps === 0 ? "" : `, ${counted(trace.steps, "step")}`;
  return [
    claim(`run ${id}: ${what} ${ends}${given}${steps}`, "observed"),
    ...(outcome.kind === "exit" ? [claim(outcome.message, "observed")] : []),
    ...(others.length === 0 ? [] : [claim(`other failing tests: ${others.join(", ")}`, "observed")]),
    ...(reproducer === null || reproducer.inputs.length === 0 || !reproducer.confirmed || isSame(reproducer, inputs)
      ? []
      : [claim(`smaller inputs that fail in the same way: ${reproducer.inputs.join(",")}`, "re-run")]),
  ];
}

function isSame(reproducer: Reproducer, inputs: Explanation["inputs"]): boolean {
  return reproducer.inputs.join(",") === inputs.map(({ value }) => value).join(",");
}

function failureLines(failure: Failure | null): readonly string[] {
  if (failure === null) return [];
  const { message, problem, difference, location, function: fn, condition, stack, printed } = failure;
  const operands = condition?.operands.map(({ text, value }) => `${text} is ${cutText(value, longestText)}`) ?? [];
  return [
    claim(`fails at ${placeOf(location)} in ${fn}: ${message}`, "observed"),
    ...(problem === undefined || message.includes(problem) ? [] : [claim(` ${problem}`, "observed")]),
    ...(operands.length === 0 ? [] : [claim(` ${operands.join(", ")}`, "observed")]),
    ...(difference === undefined
      ? []
      : [
          claim(
            ` ${difference.stream} line ${difference.line}: expected ${difference.expected ?? "no such line"}, found ${difference.found ?? "no such line"}`,
            "observed",
          ),
        ]),
    ...(stack.length === 0
      ? []
      : [
          claim(` called by ${stack.map((each) => `${each.function}:${each.location.line}`).join(" <- ")}`, "observed"),
        ]),
    ...(printed === null ? [] : [claim(` printed last: ${cutText(printed, longestText)}`, "observed")]),
  ];
}

function suspectLines({ suspects }: Explained, proposed: readonly TextChange[]): readonly string[] {
  return suspects.map((suspect, i) => {
    const { location, function: fn, statement, text, skips, whatIfs, changes } = suspect;
    const best = proposed.findIndex((change) => changes.includes(change));
    const named = best === -1 ? "" : `; c${best + 1} changes it`;
    const shown = cutText((statement || text).trim(), longestText);
    const [whatIf] = whatIfs;
    const effect = whatIf === undefined || whatIf.kind === "change" ? "" : `; ${whatIf.text}, ${levelText(whatIf)}`;
    const skipped = skips === undefined ? "" : `; it skips \`${cutText(skips, longestText)}\``;
    return claim(
      `suspect ${i + 1} (${suspectMark(suspects, i)}): ${placeOf(location)} in ${fn}: \`${shown}\`${named}${effect}${skipped}`,
      isTried(suspect) ? "re-run" : "observed",
    );
  });
}

function isTried({ whatIfs, changes }: Suspect): boolean {
  return whatIfs.length + changes.length > 0;
}

function levelText({ level, passingRuns: { asked, broken } }: Suspect["whatIfs"][number]): string {
  if (level === "getsPast") return "it gets past the failure";
  return broken > 0 ? `the run passes, but ${broken} of ${asked} other tests fail` : "the run passes";
}

/** The changes with which the run passes: first the best one of each suspect, those that were run as text first. */
export function changesOfExplanation(explanation: Explanation): readonly TextChange[] {
  if (explanation.kind !== "explained") return [];
  const own = explanation.suspects.map(({ changes }) =>
    changes.filter(({ level, avoids }) => level === "passes" && !avoids),
  );
  const best = own.flatMap(([first]) => first ?? []);
  const rest = own.flatMap((changes) => changes.slice(1));
  const rank = (change: TextChange) => (isFix(change) ? 0 : change.tests.broken.length === 0 ? 1 : 2);
  return [best, rest].flatMap((changes) => changes.toSorted((a, b) => rank(a) - rank(b)));
}

function changeLines({ suspects }: Explained, changes: readonly TextChange[]): readonly string[] {
  return changes.map((change, i) => {
    const at = change.edits[0]?.location ?? suspects[0]?.location;
    const place = at === undefined ? "" : ` ${placeOf(at)}`;
    const effect =
      change.confirmed && change.tests.broken.length === 0 ? effectOfChange(change) : effectInPlace(change);
    const how = change.confirmed ? "" : " (in place; try_change runs the changed text)";
    return claim(`c${i + 1}${place}: ${cutText(change.text, 2 * longestText)}: ${effect}${how}`, "re-run");
  });
}

/** A change that was not run as text was run with some of the tests. */
function effectInPlace({ tests: { asked, broken } }: TextChange): string {
  if (broken.length > 0) return `the run passes, but ${broken.length} of ${asked} other tests that were asked fail`;
  return `the run passes${asked === 0 ? "" : `, and ${counted(asked, "other test")} that ${asked === 1 ? "was" : "were"} asked`}`;
}

/** The rows of the screen, and how to ask about them. */
function valueLines(explained: Explained, open: OpenRecording | null): readonly string[] {
  return screenOf(explained).sections.flatMap(({ question, rows }) => [
    `${question}:`,
    ...rows.map((row) => rowLine(row, open)),
  ]);
}

/** The nodes that the screen does not show. */
function furtherLines(explained: Explained, open: OpenRecording | null): readonly string[] {
  const shown = new Set(screenOf(explained).sections.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const rows = screenOf(explained, { all: true }).sections.flatMap((section) => section.rows);
  const others = rows.filter(({ id }) => !shown.has(id));
  const { left } = explained.graph;
  return [
    ...(others.length === 0 ? [] : ["further steps that led there:"]),
    ...others.map((row) => rowLine(row, open)),
    ...(left === 0 ? [] : [`${counted(left, "execution")} farther from the failure are not listed: ask why`]),
  ];
}

function rowLine(row: Row, open: OpenRecording | null): string {
  const step = open === null ? null : stepOfNode(open, row.steps);
  const id = step === null ? "" : `${stepName(step)} `;
  const values = row.values.map(({ role, text, value, was }) => {
    const name = role === "returned" ? "returned" : `${role === "written" ? "" : `${role} `}${text} =`;
    return `${name} ${cutText(value, longestText)}${was === undefined ? "" : ` (was ${cutText(was, longestText)})`}`;
  });
  const tests = row.tests.map(({ text }) => cutText(text, longestText));
  const visit = row.visit.of > 1 ? `, execution ${row.visit.number} of ${row.visit.of}` : "";
  const rounds = row.rounds === null ? [] : [`stands for ${counted(row.rounds.count, "execution")}`];
  const facts = [...values, ...tests, ...(row.remarks ?? []), ...rounds].join(", ");
  return claim(
    `${id}${placeOf(row.location)} in ${row.function}${visit}: \`${cutText(row.text, longestText)}\`${facts === "" ? "" : ` ${facts}`}`,
    row.evidence,
  );
}

function proofLines({ inputCondition, proof, missing }: Explained): readonly string[] {
  const isProved =
    inputCondition !== null && inputCondition.claims !== "none" && inputCondition.proof.status === "checked";
  return [
    ...(isProved ? [claim(inputCondition.text, "proved")] : []),
    ...(isProved ? inputCondition.open.map(({ text, location }) => line(` if ${placeOf(location)}: ${text}`)) : []),
    ...(proof.triples > 0 ? [line(proofPhrase(proof, "condition", plain))] : []),
    ...missing.filter(({ kind }) => kind !== "recording").map(({ reason }) => line(`missing: ${reason}`)),
  ];
}

function unknownLines({ unknowns }: Explanation): readonly string[] {
  return unknowns.map(({ reason, help }) => line(`unknown: ${reason}${help === "" ? "" : ` (${help})`}`));
}

function noteLines({ notes }: Explanation, open: OpenRecording | null): readonly string[] {
  return [
    ...notes.map(({ message, location }) => line(`note: ${placeOf(location)}: ${message}`)),
    ...(open?.recording.limits ?? []).map((limit) => line(`note: ${limit}`)),
  ];
}
