import { givenTo } from "../../commands/command.ts";
import { infer } from "../../commands/infer/command.ts";
import { diffContracts } from "../../commands/infer/diffContracts.ts";
import type { ContractDifference, InferReport, ReportedFunction } from "../../commands/infer/result.ts";
import { contractLines, evidenceText, signatureOf } from "../../render/inferText.ts";
import { claim, line, type ToolAnswer } from "../answer.ts";
import { callError, word, words } from "../parameters.ts";
import { commonRaw, filesOf, programParameters } from "../programs.ts";
import { commandOf, type Session } from "../session.ts";
import { tool } from "../tool.ts";
import type { ClientCall } from "../workQueue.ts";

const parameters = {
  function: word("a part of its name"),
  command: word("name of a configured test command"),
  ...programParameters,
  inputs: words("C: one run for each: 3,0"),
  against: word("k1, or a git revision"),
} as const;

export const contractsTool = tool({
  name: "contracts",
  description:
    "What functions require, ensure and change, as the tests of a configured command show it (JavaScript, TypeScript), or runs of a C program. Kept as k1. With against: what no longer holds since k1, or since a git revision: call it before and after a change.",
  parameters,
  async answer(given, session, call): Promise<ToolAnswer> {
    const { against } = given;
    const kept = against !== null && /^k\d+$/.test(against) ? session.contracts.get(against) : null;
    const revision = kept === null ? against : null;
    const report =
      given.files === null
        ? await ofTests(session, commandOf(session, given.command), revision, call)
        : await ofProgram(session, given, revision, call);
    const id = session.contracts.add(report);
    const wanted = (name: string) => given.function === null || name.includes(given.function);
    const difference = kept === null ? report.diff : diffContracts(kept, report);
    const lines =
      difference === null ? reportLines(report, wanted, given.function) : differenceLines(difference, wanted);
    const before = kept === null ? [] : kept.unknowns.map(({ reason }) => line(`open in ${against}: ${reason}`));
    return {
      lines: [...lines, ...closingLines(report), ...before],
      next: `contracts {"against":"${id}", …} after a change`,
    };
  },
});

async function ofTests(session: Session, command: readonly string[], revision: string | null, call: ClientCall) {
  if (revision?.startsWith("-")) throw callError(`"${revision}" is no revision`, "Name a branch, a tag or a commit.");
  const raw = revision === null ? {} : { base: revision };
  const request = infer.request(givenTo(infer, { words: [], programArguments: command, raw }));
  const { report } = await session.queue.run(infer, { ...request, output: null }, call);
  return report;
}

async function ofProgram(
  session: Session,
  given: {
    readonly files: readonly string[] | null;
    readonly entry: string | null;
    readonly inputs: readonly string[] | null;
  },
  revision: string | null,
  call: ClientCall,
) {
  if (revision !== null)
    throw callError('"against" is a revision, which C programs are not compared with', "Give k1 of an earlier answer.");
  const raw = { ...commonRaw(session, given.entry), ...(given.inputs === null ? {} : { inputs: given.inputs }) };
  const request = infer.request(givenTo(infer, { words: filesOf(session, given), raw }));
  const c =
    request.c === null ? null : { ...request.c, program: { ...request.c.program, within: session.workspace.root } };
  const { report } = await session.queue.run(infer, { ...request, c, output: null }, call);
  return report;
}

function reportLines(report: InferReport, wanted: (name: string) => boolean, name: string | null): readonly string[] {
  const classes = report.classes.filter((each) => wanted(each.name));
  const functions = report.functions.filter((each) => wanted(each.name));
  if (classes.length + functions.length === 0) {
    const known = report.functions.slice(0, mostNamed).map((each) => each.name);
    if (known.length === 0) return [claim("no function of the project was called", "observed")];
    return [line(`no function with "${name ?? ""}" in its name was called; there are ${known.join(", ")}`)];
  }
  return [
    ...classes.flatMap(({ name: own, file, invariants, states }) => [
      claim(`class ${own} (${file}), in ${states} states`, "observed"),
      ...invariants.map((text) => claim(` invariant ${text}`, "observed")),
    ]),
    ...[...functions].sort(exportedFirst).flatMap((one) => functionLines(one, report)),
  ];
}

const mostNamed = 10;

function exportedFirst(a: ReportedFunction, b: ReportedFunction): number {
  return Number(b.exported !== null) - Number(a.exported !== null);
}

function functionLines(one: ReportedFunction, { language }: InferReport): readonly string[] {
  return [
    claim(`${one.file}:${one.line} ${signatureOf(one, language)}, ${evidenceText(one, language)}`, "observed"),
    ...[...contractLines(one, language)]
      .sort((a, b) => a.rank - b.rank)
      .map(({ word: kind, text }) => claim(` ${kind}${text === "" ? "" : ` ${text}`}`, "observed")),
  ];
}

function differenceLines(
  { gone, new: added, removed, added: first }: ContractDifference,
  wanted: (name: string) => boolean,
): readonly string[] {
  const lines = [
    ...gone.filter(({ name }) => wanted(name)).map((each) => claim(`no longer: ${textOf(each)}`, "observed")),
    ...added.filter(({ name }) => wanted(name)).map((each) => claim(`new: ${textOf(each)}`, "observed")),
    ...removed
      .filter(({ name }) => wanted(name))
      .map(({ file, name }) => claim(`not called: ${file} ${name}`, "observed")),
    ...first
      .filter(({ name }) => wanted(name))
      .map(({ file, name }) => claim(`first seen: ${file} ${name}`, "observed")),
  ];
  return lines.length === 0 ? [claim("the contracts are the same", "observed")] : lines;
}

function textOf({ file, name, statement }: ContractDifference["gone"][number]): string {
  return `${file} ${name}: ${statement}`;
}

function closingLines({ unknowns, tests }: InferReport): readonly string[] {
  const ends = tests?.exitCode == null ? "the tests did not end" : `the tests ended with exit code ${tests.exitCode}`;
  return [
    ...(tests === null || tests.exitCode === 0 ? [] : [claim(ends, "observed")]),
    ...unknowns.map(({ reason, help }) => line(`open: ${reason} (${help})`)),
  ];
}
