import type { BackendChoice } from "../../solver/findBackends.ts";
import { type OutputFlags, seconds } from "./programOptions.ts";

/** What the engine is asked to do by `tracefold check`. */
export type CheckRequest = {
  readonly command: "check";
  /** A proof's folder or its manifest. */
  readonly path: string;
  readonly solver: BackendChoice;
  readonly timeoutSeconds: number | null;
};

export type CheckFlags = OutputFlags & { readonly solver: string; readonly timeout?: string };

export function checkRequest(path: string, flags: CheckFlags): CheckRequest {
  return {
    command: "check",
    path,
    solver: flags.solver as BackendChoice,
    timeoutSeconds: flags.timeout === undefined ? null : seconds("--timeout", flags.timeout),
  };
}
