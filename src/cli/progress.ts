import { isatty } from "node:tty";
import { openOutput } from "../engine/output.ts";

/** Work that takes less says nothing. */
const FIRST_AFTER_MS = 1000;
const EVERY_MS = 200;

export type Progress = {
  /** Takes the line away for now, so that something else can be printed. */
  readonly clear: () => void;
  readonly end: () => void;
};

/** Shows on a terminal how far the engine is. */
export function showProgress(phase: () => string, quiet: boolean): Progress {
  if (quiet || !isatty(2)) return { clear: () => {}, end: () => {} };
  const output = openOutput(2);
  const start = performance.now();
  let shown = false;
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    if (elapsed < FIRST_AFTER_MS) return;
    shown = true;
    output.write(`\r\x1b[K${phase()} … ${(elapsed / 1000).toFixed(0)} s  (Ctrl-C to stop)`);
  }, EVERY_MS);
  const clear = () => {
    if (shown) output.write("\r\x1b[K");
    shown = false;
  };
  const end = () => {
    clearInterval(timer);
    clear();
  };
  return { clear, end };
}
