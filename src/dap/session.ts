import type { DebugProtocol as P } from "@vscode/debugprotocol";
import type { Client, Handlers } from "./connection.ts";
import { explanationText } from "./console.ts";
import { createDebugger } from "./debugger.ts";
import { type LaunchSettings, launchRun } from "./launch.ts";
import { breakpointRequests } from "./requests/breakpoints.ts";
import { inspectionRequests } from "./requests/inspection.ts";
import { motionRequests } from "./requests/motion.ts";
import { SessionState } from "./state.ts";
import { callVariables } from "./variables.ts";

/** A debug session over a recorded run: from `launch`, which explains and records it, to `disconnect`. */
export function openDebugSession(client: Client, disconnected: () => void): DebugSession {
  const state = new SessionState(client);
  /** Runs the program as it is now. */
  const record = async (): Promise<void> => {
    const progressId = "explain";
    const tell = (event: string, body: object) => {
      if (state.showsProgress) client.send(event, { progressId, ...body });
    };
    tell("progressStart", { title: "Explaining the failing run" });
    try {
      state.launch = launchRun(state.settings, (message) => tell("progressUpdate", { message }));
      const debug = createDebugger(await state.launch.run);
      // Makes the indices of the recording, so that the first question is answered as fast as the next ones.
      const { timeline } = debug.run;
      callVariables(timeline, timeline.activationOf(timeline.failure), timeline.failure);
      state.debug = debug;
    } finally {
      tell("progressEnd", {});
    }
  };
  const stopAtFailure = () => {
    const { run, goTo } = state.debug;
    state.stopped({ ...goTo(run.timeline.failure), reason: "exception", text: run.explanation.failure.message });
  };
  const handlers: Handlers = {
    initialize({ linesStartAt1, columnsStartAt1, supportsProgressReporting }: P.InitializeRequestArguments) {
      state.firstLine = linesStartAt1 === false ? 0 : 1;
      state.firstColumn = columnsStartAt1 === false ? 0 : 1;
      state.showsProgress = supportsProgressReporting === true;
      return capabilities;
    },

    async launch(settings: P.LaunchRequestArguments & LaunchSettings) {
      state.settings = settings;
      await record();
      // Breakpoints come now, when it is known which lines have statements.
      client.send("initialized");
    },

    configurationDone() {
      const output = `${explanationText(state.debug.run)}\nhelp: lists the commands of this console\n`;
      client.afterwards(() => client.send("output", { category: "console", output }));
      if (state.settings.stopOnEntry) state.stopped({ ...state.debug.goTo(0), reason: "entry" });
      else stopAtFailure();
    },

    async restart({ arguments: changed }: P.RestartArguments) {
      if (changed !== undefined) state.settings = changed as LaunchSettings;
      await record();
      stopAtFailure();
    },

    terminate() {
      state.launch?.end();
      client.afterwards(() => client.send("terminated"));
    },

    disconnect() {
      state.launch?.end();
      client.afterwards(disconnected);
    },

    ...breakpointRequests(state),
    ...motionRequests(state),
    ...inspectionRequests(state),
  };
  return { handlers, close: () => state.launch?.end() };
}

export type DebugSession = {
  readonly handlers: Handlers;
  /** Ends the work that is going on, with its processes. */
  close(): void;
};

const capabilities: P.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsDataBreakpoints: true,
  supportsEvaluateForHovers: true,
  supportsExceptionInfoRequest: true,
  supportsGotoTargetsRequest: true,
  supportsRestartRequest: true,
  supportsRestartFrame: true,
  supportsCompletionsRequest: true,
  supportsSteppingGranularity: true,
  supportsTerminateRequest: true,
};
