import { isatty } from "node:tty";
import { openOutput } from "../commands/output.ts";

/** The line on the terminal while a batch runs. */
export type BatchProgress = {
  readonly done: (category: string) => void;
  /** Says something above the line, also where there is no terminal. */
  readonly note: (text: string) => void;
  readonly end: () => void;
};

const everyMs = 200;

/** How many tasks are done, how fast, and how long the others will take. Only a terminal shows it. */
export function batchProgress(total: number, reused: number, isQuiet: boolean): BatchProgress {
  const counts = new Map<string, number>();
  const start = performance.now();
  let done = 0;
  const isShown = !isQuiet && isatty(2);
  const output = openOutput(2);
  const show = () => {
    const seconds = (performance.now() - start) / 1000;
    output.write(`\r\x1b[K${progressLine(total, reused, done, seconds, counts)}`);
  };
  const timer = isShown ? setInterval(show, everyMs) : null;
  return {
    done(category) {
      done++;
      counts.set(category, (counts.get(category) ?? 0) + 1);
    },
    note(text) {
      if (!isQuiet) output.write(`${isShown ? "\r\x1b[K" : ""}tracefold: ${text}\n`);
    },
    end() {
      if (timer === null) return;
      clearInterval(timer);
      output.write("\r\x1b[K");
    },
  };
}

export function progressLine(
  total: number,
  reused: number,
  done: number,
  seconds: number,
  counts: ReadonlyMap<string, number>,
): string {
  const rate = seconds === 0 ? 0 : done / seconds;
  const left = total - reused - done;
  const time = rate === 0 ? "" : `, ${rate.toFixed(1)} tasks/s, ${duration(left / rate)} left`;
  const results = [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
  return `${reused + done}/${total}${time}${results === "" ? "" : `: ${results}`}  (Ctrl-C to stop)`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
