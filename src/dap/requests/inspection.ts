import type { DebugProtocol as P } from "@vscode/debugprotocol";
import { TracefoldError } from "../../base/errors.ts";
import { stepName } from "../../render/recordingText.ts";
import { readCondition } from "../condition.ts";
import type { Handlers } from "../connection.ts";
import { answerConsole, type ConsolePlace, consoleCommands, explanationText } from "../console.ts";
import { type SessionState, threadId } from "../state.ts";
import { callVariables, framesAt, statementValues } from "../variables.ts";

/** Requests that ask about the current position. */
export function inspectionRequests(state: SessionState): Handlers {
  return {
    threads() {
      const { run, position } = state.debug;
      const at = stepName(run.timeline.stepOf(position()));
      return { threads: [{ id: threadId, name: `the recorded run, at ${at} of ${run.timeline.open.length}` }] };
    },

    stackTrace({ startFrame = 0, levels = 0 }: P.StackTraceArguments) {
      const { run, position } = state.debug;
      const { recording } = run.timeline.open;
      const frames = framesAt(run.timeline, position());
      const shown = frames.slice(startFrame, levels > 0 ? startFrame + levels : undefined);
      const stackFrames = shown.map((frame, i) => {
        const statement = recording.statements[frame.statement];
        const [line, column, endLine, endColumn] = statement?.at ?? [1, 1, 1, 1];
        return {
          id: startFrame + i,
          name: recording.functions[frame.function] ?? "",
          ...(statement === undefined ? {} : { source: state.sourceOf(statement.file) }),
          line: state.toClientLine(line),
          column: state.toClientColumn(column),
          endLine: state.toClientLine(endLine),
          endColumn: state.toClientColumn(endColumn),
        };
      });
      return { stackFrames, totalFrames: frames.length };
    },

    source({ source, sourceReference }: P.SourceArguments) {
      const { run } = state.debug;
      const path = source?.path ?? run.timeline.open.recording.files[sourceReference - 1] ?? "";
      const content = run.sources.get(path);
      if (content === undefined)
        throw new TracefoldError({ code: "TF132", message: `the text of ${path} is not known` });
      return { content };
    },

    scopes({ frameId }: P.ScopesArguments) {
      const { run, position } = state.debug;
      const variables = callVariables(run.timeline, state.activationOf(frameId), position());
      const own = statementValues(run.timeline, position());
      const scope = (name: string, list: typeof own) => ({
        name,
        variablesReference: state.list(list),
        expensive: false,
      });
      return {
        scopes: [
          { ...scope("Variables", variables), presentationHint: "locals" },
          ...(frameId === 0 ? [scope("This statement", own)] : []),
        ],
      };
    },

    variables({ variablesReference, start = 0, count = 0 }: P.VariablesArguments) {
      const list = state.listed(variablesReference);
      const shown = list.slice(start, count > 0 ? start + count : undefined);
      return {
        variables: shown.map(({ label, name, value, parts }) => ({
          name: label,
          value: value === "" ? countedParts(parts.length) : value,
          evaluateName: name,
          variablesReference: state.list(parts),
        })),
      };
    },

    evaluate({ expression, context, frameId }: P.EvaluateArguments) {
      const { debug } = state;
      const position = debug.position();
      const place: ConsolePlace = {
        ...debug.run,
        names: debug.names,
        position,
        activation: state.activationOf(frameId),
      };
      const answer = context === "repl" ? answerConsole(expression, place) : null;
      if (answer === null) return valueOf(state, expression, place.activation);
      if (answer.goTo !== undefined) state.stopped(debug.goTo(answer.goTo));
      return { result: answer.text, variablesReference: 0 };
    },

    completions({ text, column, frameId }: P.CompletionsArguments) {
      const { run, position } = state.debug;
      const typed = text.slice(0, column - state.firstColumn);
      const word = /[\w$]*$/.exec(typed)?.[0] ?? "";
      const variables = callVariables(run.timeline, state.activationOf(frameId), position());
      const commands = typed === word ? consoleCommands.map(([command]) => command.split(/ [A-Zs]/)[0] ?? "") : [];
      const labels = new Set([...commands, ...variables.map(({ name }) => name)]);
      const start = typed.length - word.length;
      return {
        targets: [...labels]
          .filter((label) => label.startsWith(word))
          .map((label) => ({ label, start, length: word.length })),
      };
    },

    exceptionInfo() {
      const { run } = state.debug;
      const { message, kind, stack } = run.explanation.failure;
      const calls = stack.map(({ function: name, location }) => `${name} (${location.file}:${location.line})`);
      const text = explanationText(run);
      const details = { message: text, typeName: kind, stackTrace: calls.join("\n") };
      return { exceptionId: message, description: text, breakMode: "always", details };
    },
  };
}

/** The value of a name, of a struct or array by its parts, or of an expression over names. */
function valueOf(state: SessionState, expression: string, activation: number) {
  const { run, lookupAt, position } = state.debug;
  const lookup = lookupAt(position(), activation);
  const name = expression.replaceAll(/\s+/g, "");
  const whole = callVariables(run.timeline, activation, position()).find((each) => each.name === name);
  const parts = whole?.parts ?? [];
  const known = lookup(name);
  if (known !== null || parts.length > 0)
    return { result: known ?? countedParts(parts.length), variablesReference: state.list(parts) };
  const value = readCondition(expression).evaluate(lookup);
  if (value !== null) return { result: `${value}`, variablesReference: 0 };
  throw new TracefoldError({
    code: "TF136",
    message: `the value of ${expression} is not known here`,
    help: "A run says nothing about cells that this function neither read nor wrote before.",
  });
}

function countedParts(count: number): string {
  return count === 1 ? "1 part" : `${count} parts`;
}
