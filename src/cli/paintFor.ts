import { isatty } from "node:tty";
import picocolors from "picocolors";
import { type Paint, plain } from "../report/paint.ts";

/** Colours on a terminal only; picocolors knows about NO_COLOR and the like. */
export function paintFor(out: string | undefined): Paint {
  return out === undefined && isatty(1) && picocolors.isColorSupported ? picocolors : plain;
}
