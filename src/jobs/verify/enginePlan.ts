import { boundedUnrolling } from "../../analyses/verify/boundedUnrolling.ts";
import type { VerifyEngine } from "../../analyses/verify/engine.ts";
import { cellsEngine, guardedEngine, houdiniEngine } from "../../analyses/verify/invariantEngine.ts";
import { kInduction } from "../../analyses/verify/kInduction.ts";
import { minimax } from "../../analyses/verify/minimax/engine.ts";
import type { Tree } from "../../analyses/verify/minimax/tree.ts";
import { type Racer, spacer } from "../../analyses/verify/spacer.ts";
import type { BackendChoice } from "../../solver/backend/backends.ts";
import type { VerifyOptions } from "./verification.ts";

/** The order of the engines, and the part of the time that each may take. */
export function enginePlan(
  { milliseconds, interpolation, solver, megabytes }: VerifyOptions,
  counted: (counts: Tree["counts"]) => void,
): readonly { readonly engine: VerifyEngine; readonly share: number }[] {
  const [first, second] = racersOf(solver);
  return [
    { engine: spacer({ racers: [first], milliseconds, megabytes }), share: 1 },
    { engine: boundedUnrolling({ mostDepth: 80, resources: 2_000_000 }), share: 0.08 },
    { engine: houdiniEngine, share: 0.1 },
    { engine: kInduction(4_000_000), share: 0.05 },
    { engine: spacer({ racers: [second], milliseconds, megabytes }), share: 1 },
    { engine: cellsEngine, share: 0.15 },
    { engine: guardedEngine, share: 0.15 },
    { engine: minimax({ interpolates: interpolation ?? true, counted }), share: 0.2 },
    { engine: boundedUnrolling({ mostDepth: 2000, resources: 60_000_000 }), share: 0.4 },
  ];
}

/**
 * One from the start that knows nothing, and one that is told what others found. Global guidance is new in what is embedded.
 * Neither covers the other.
 */
export function racersOf(solver: BackendChoice): readonly [Racer, Racer] {
  const native: BackendChoice = solver === "cvc5" ? "auto" : solver;
  return [
    { backend: native, global: false, told: "nothing", linear: true },
    { backend: "wasm", global: true, told: "equations", linear: false },
  ];
}
