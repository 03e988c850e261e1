import { isatty } from "node:tty";
import picocolors from "picocolors";
import type { OutputValues } from "../engine/options/outputOptions.ts";

/** As `--color` says; by default as FORCE_COLOR and NO_COLOR say, else on a terminal only. */
export function showsColours({ out, color }: Pick<OutputValues, "out" | "color">): boolean {
  if (color !== "auto") return color === "always";
  const { FORCE_COLOR: forced, NO_COLOR: refused } = process.env;
  if (refused !== undefined && refused !== "") return false;
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return out === null && isatty(1) && picocolors.isColorSupported;
}
