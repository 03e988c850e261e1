import { resolve } from "node:path";
import type { Explained } from "../commands/explain/result.ts";
import type { NameTable } from "../recording/names.ts";
import { nearestOnLine, stepOfNode } from "../recording/navigate.ts";
import { explainText } from "../render/explainText.ts";
import { plain } from "../render/layout.ts";
import {
  historyLines,
  namedValue,
  plainLine,
  stepName,
  stepText,
  whyLines,
  whyNotLines,
} from "../render/recordingText.ts";
import type { Timeline } from "./timeline.ts";

/** Where the debugger stands when something is typed into its console. */
export type ConsolePlace = {
  readonly timeline: Timeline;
  readonly names: NameTable;
  readonly explanation: Explained;
  readonly sources: ReadonlyMap<string, string>;
  /** The current position, and the call of the frame that is looked at. */
  readonly position: number;
  readonly activation: number;
};

export type ConsoleAnswer = {
  readonly text: string;
  /** The position to go to. */
  readonly goTo?: number;
};

/** The commands of the debug console, for its help and its completions. */
export const consoleCommands = [
  ["why", "why the statement here is executed, with these values"],
  ["why NAME", "who wrote the value of a variable, and why"],
  ["why not LINE", "why a line (12, or file.c:12) was not executed"],
  ["history NAME", "all values of a variable"],
  ["explain", "the explanation of the failure"],
  ["suspects", "the suspected lines, with steps to go to"],
  ["goto s12", "go to a step; goto 12 goes to the nearest execution of a line"],
] as const;

/** Answers a command of the console; null if the text is none. */
export function answerConsole(text: string, place: ConsolePlace): ConsoleAnswer | null {
  const [, word = "", rest = ""] = /^\s*(\w+)\s*(.*?)\s*$/s.exec(text) ?? [];
  switch (word) {
    case "help":
      return { text: consoleCommands.map(([command, meaning]) => `${command.padEnd(14)} ${meaning}`).join("\n") };
    case "explain":
      return rest === "" ? { text: explanationText(place) } : null;
    case "suspects":
      return rest === "" ? { text: suspectLines(place).join("\n") } : null;
    case "why":
      return { text: why(rest, place).join("\n") };
    case "history":
      return rest === "" ? null : { text: history(rest, place).join("\n") };
    case "goto":
      return rest === "" ? null : goTo(rest, place);
    default:
      return null;
  }
}

export function explanationText({ explanation, sources }: Pick<ConsolePlace, "explanation" | "sources">): string {
  return explainText(explanation, { paint: plain, source: (path) => sources.get(path) ?? null });
}

function why(rest: string, place: ConsolePlace): readonly string[] {
  const { timeline, names, position, activation } = place;
  const { open } = timeline;
  const step = timeline.stepOf(position);
  if (rest === "")
    return whyLines(open, open.stepsOf(timeline.executionAt(position)).at(-1) ?? step, true).map(plainLine);
  const line = /^not\s+(\S+)$/.exec(rest)?.[1];
  if (line !== undefined) {
    const found = fileAndLine(line, place);
    return typeof found === "string" ? [found] : whyNotLines(open, found.file, found.line, step).map(plainLine);
  }
  const value = names.valueOf(withoutBlanks(rest), activation, timeline.valuesAfter(position));
  if (value === null) return [unknownName(rest)];
  return [namedValue(value), ...whyLines(open, value.step, false).map(plainLine)];
}

function history(rest: string, { timeline, names, position, activation }: ConsolePlace): readonly string[] {
  const cell = names.cellOf(withoutBlanks(rest), activation, timeline.valuesAfter(position));
  return cell === null ? [unknownName(rest)] : historyLines(timeline.open, cell, mostValues).map(plainLine);
}

const mostValues = 100;

function goTo(rest: string, place: ConsolePlace): ConsoleAnswer {
  const { timeline, position } = place;
  const { open } = timeline;
  const number = /^s(\d+)$/.exec(rest)?.[1];
  if (number !== undefined && Number(number) < open.length)
    return arrive(timeline, timeline.positionOf(Number(number)));
  if (number !== undefined) return { text: `the run has the steps s0 to s${open.length - 1}` };
  const found = fileAndLine(rest, place);
  if (typeof found === "string") return { text: found };
  const step = nearestOnLine(open, found.file, found.line, timeline.stepOf(position));
  return step === null
    ? { text: `line ${found.line} was not executed: why not ${rest}` }
    : arrive(timeline, timeline.positionOf(step));
}

function arrive(timeline: Timeline, position: number): ConsoleAnswer {
  return { text: stepText(timeline.open, timeline.stepOf(position)), goTo: position };
}

function suspectLines({ explanation, timeline: { open } }: ConsolePlace): readonly string[] {
  const lines = explanation.suspects.map(({ location, statement, node, certainty, whatIfs }) => {
    const steps = node === null ? [] : (explanation.graph.nodes.find(({ id }) => id === node)?.steps ?? []);
    const step = stepOfNode(open, steps);
    const [change] = whatIfs;
    const effect =
      change === undefined
        ? ""
        : `; ${change.text} ${change.level === "passes" ? "the run passes" : "it gets further"}`;
    const at = step === null ? "" : `${stepName(step)} `;
    return `${at}${location.file}:${location.line}: \`${statement}\`${certainty === "sure" ? " (look here)" : ""}${effect}`;
  });
  return lines.length === 0 ? ["no line is suspected"] : lines;
}

/** `12` is a line of the file of the current statement. */
function fileAndLine(text: string, { timeline, position }: ConsolePlace): { file: number; line: number } | string {
  const { recording } = timeline.open;
  const [, name = "", line = ""] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (line === "") return `"${text}" is no line: give 12, or file.c:12`;
  const current = recording.statements[recording.executions.statement[timeline.executionAt(position)] ?? -1]?.file ?? 0;
  if (name === "") return { file: current, line: Number(line) };
  const file = recording.files.findIndex((path) => `/${path}`.endsWith(`/${name}`) || resolve(path) === resolve(name));
  return file === -1 ? `${name} is no file of this run: ${recording.files.join(", ")}` : { file, line: Number(line) };
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

function unknownName(name: string): string {
  return `the value of ${name} is not known here: nothing in this function read or wrote it before`;
}
