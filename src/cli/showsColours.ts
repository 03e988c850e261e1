import { isatty } from "node:tty";
import picocolors from "picocolors";

/** Colours on a terminal only; picocolors knows about NO_COLOR and the like. */
export function showsColours(out: string | undefined): boolean {
  return out === undefined && isatty(1) && picocolors.isColorSupported;
}
