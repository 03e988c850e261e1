import { givenTo } from "../../commands/command.ts";
import { explore } from "../../commands/explore/command.ts";
import type { ExploreReport } from "../../commands/explore/result.ts";
import { claim, line, placeOf } from "../answer.ts";
import { oneOf, word } from "../parameters.ts";
import { commonRaw, filesOf, programParameters } from "../programs.ts";
import { tool } from "../tool.ts";

const parameters = {
  ...programParameters,
  property: oneOf("default: assertions", ["assertions", "overflow", "division", "shift", "undefined"]),
  reach: word("instead a line to reach: file.c:12"),
} as const;

export const findFailingInputTool = tool({
  name: "find_failing_input",
  description:
    "Find inputs with which a C program fails, or reaches a line, or show that there are none. It reads inputs by __VERIFIER_nondet_int() and its relatives. For explain.",
  parameters,
  onlyReads: true,
  async answer(given, session, call) {
    const words = filesOf(session, given);
    const raw = {
      ...commonRaw(session, given.entry),
      first: true,
      ...(given.property === null ? {} : { property: given.property }),
      ...(given.reach === null ? {} : { reach: given.reach }),
      timeoutSeconds: `${Math.max(1, session.settings.seconds * exploringShare)}`,
    };
    const request = { ...explore.request(givenTo(explore, { words, raw })), within: session.workspace.root };
    const { report } = await session.queue.run(explore, request, call);
    const [failure] = report.failures;
    const again = { files: words, ...(given.entry === null ? {} : { entry: given.entry }) };
    const inputs = failure?.inputs.join(",") ?? "";
    const next =
      failure === undefined
        ? {}
        : { next: line(`explain ${JSON.stringify(inputs === "" ? again : { ...again, inputs })}`) };
    return { lines: explorationLines(report), ...next };
  },
});

/** The rest of the time is for what is known by then. */
const exploringShare = 0.8;

function explorationLines({ failures, targets, complete, runs, unknowns, notes }: ExploreReport): readonly string[] {
  const wanted = targets.filter(({ status, kind }) => status !== "reached" || kind === "line" || failures.length === 0);
  return [
    ...failures.flatMap(({ message, location, inputs }) => [
      claim(`fails${location === null ? "" : ` at ${placeOf(location)}`}: ${message}; with these inputs:`, "re-run"),
      ...inputLines(inputs),
    ]),
    ...(failures.length === 0 ? [line(`no failing run was found in ${runs} runs`)] : []),
    ...wanted.flatMap((target) => {
      const what = `${placeOf(target.location)}: ${target.text}`;
      if (target.status === "reached")
        return [claim(`${what}: reached with these inputs:`, "re-run"), ...inputLines(target.inputs ?? [])];
      if (target.status === "unreachable") return [line(`${what}: no path leads there; verify gives a checked proof`)];
      return [line(`${what}: not decided${target.reason === undefined ? "" : `: ${target.reason}`}`)];
    }),
    ...(failures.length > 0
      ? []
      : [line(complete ? "every path was followed to its end" : "not every path was followed")]),
    ...unknowns.map(({ reason, help }) => line(`open: ${reason} (${help})`)),
    ...notes.map(({ message, location }) => line(`note: ${placeOf(location)}: ${message}`)),
  ];
}

const inputsInLine = 12;

/** All inputs, in lines that are not shortened. */
function inputLines(inputs: readonly (number | string)[]): readonly string[] {
  if (inputs.length === 0) return [" none"];
  const count = Math.ceil(inputs.length / inputsInLine);
  return Array.from({ length: count }, (_, i) =>
    line(` ${inputs.slice(i * inputsInLine, (i + 1) * inputsInLine).join(",")}${i + 1 < count ? "," : ""}`),
  );
}
