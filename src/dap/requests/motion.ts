import type { DebugProtocol as P } from "@vscode/debugprotocol";
import { nearestOnLine } from "../../recording/navigate.ts";
import { stepName } from "../../render/recordingText.ts";
import type { Handlers } from "../connection.ts";
import type { SessionState } from "../state.ts";
import type { Motion } from "../timeline.ts";
import { framesAt } from "../variables.ts";

/** Requests that move the current position. */
export function motionRequests(state: SessionState): Handlers {
  const step = (motion: Motion) => state.stopped(state.debug.move(motion));
  const proceed = (by: 1 | -1) => {
    const breakpoints = [...state.breakpoints.values()].flat();
    const print = (text: string) => state.client.send("output", { category: "console", output: `${text}\n` });
    state.stopped(state.debug.continue(by, breakpoints, print));
  };
  return {
    continue() {
      proceed(1);
      return { allThreadsContinued: true };
    },
    reverseContinue: () => proceed(-1),
    next: ({ granularity }: P.NextArguments) => step(granularity === "instruction" ? "into" : "over"),
    stepIn: () => step("into"),
    stepOut: () => step("out"),
    /** Back over calls; with the granularity of instructions into them. */
    stepBack: ({ granularity }: P.StepBackArguments) => step(granularity === "instruction" ? "backInto" : "backOver"),

    /** To the start of a frame's call. */
    restartFrame({ frameId }: P.RestartFrameArguments) {
      const { timeline } = state.debug.run;
      const frame = framesAt(timeline, state.debug.position())[frameId];
      const [first] = timeline.open.executionsIn(frame?.activation ?? 0);
      state.stopped(state.debug.goTo(first ?? 0));
    },

    /** A recorded run never runs on. */
    pause: () => state.stopped({ reason: "step", text: null, breakpoints: [] }),

    gotoTargets({ source, line }: P.GotoTargetsArguments) {
      const { timeline } = state.debug.run;
      const file = state.fileOf(source);
      const now = timeline.stepOf(state.debug.position());
      const found = file === -1 ? null : nearestOnLine(timeline.open, file, state.fromClientLine(line), now);
      if (found === null) return { targets: [] };
      const position = timeline.positionOf(found);
      const label = `${stepName(timeline.stepOf(position))}, the nearest execution`;
      return { targets: [{ id: position, label, line }] };
    },

    goto: ({ targetId }: P.GotoArguments) =>
      state.stopped(state.debug.goTo(Math.min(Math.max(0, targetId), state.debug.run.timeline.length - 1))),
  };
}
