import type { DoctorReport, ExaminedPart } from "../commands/doctor/result.ts";
import type { Paint } from "./layout.ts";
import { oneLine } from "./phrases.ts";

/** One line for each part; below a part that does not work, how to get it. */
export function doctorText({ version, parts, status }: DoctorReport, paint: Paint): string {
  const width = Math.max(...parts.map(({ name }) => name.length)) + 1;
  const lines = parts.flatMap((part) => {
    const { name, found, use, help } = part;
    const state = stateText(part, paint);
    const first = `${`${name}:`.padEnd(width)} ${state}${found === null ? "" : ` ${oneLine(found)}`}`;
    const indent = " ".repeat(width + 1);
    return [first, paint.dim(`${indent}${part.state === "missing" ? "would add: " : ""}${use}`)].concat(
      help === null ? [] : [`${indent}${oneLine(help)}`],
    );
  });
  const verdict =
    status === "ok" ? paint.green("Everything that is necessary works.") : paint.red("A necessary part does not work.");
  return `tracefold ${version}\n${lines.join("\n")}\n${verdict}\n`;
}

function stateText({ state, isNecessary }: ExaminedPart, paint: Paint): string {
  if (state === "works") return paint.green("ok");
  if (state === "missing") return paint.yellow("not found");
  return isNecessary ? paint.red("broken") : paint.yellow("broken");
}
