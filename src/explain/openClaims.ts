import type { OpenPoint } from "../model/everyRun/runObligation.ts";
import type { OpenClaim } from "./explanation.ts";

/** What a claim leaves open, once for each place. */
export function openClaims(points: readonly OpenPoint[]): readonly OpenClaim[] {
  const claims = new Map<string, OpenClaim>();
  for (const point of points) {
    const { range, kind } = point;
    if (kind === "failure") continue;
    const text = describe(point);
    claims.set(`${kind}:${range.file}:${range.line}:${range.column}:${text}`, { kind, text, location: range });
  }
  return [...claims.values()].sort(
    (a, b) => a.location.line - b.location.line || a.location.column - b.location.column,
  );
}

function describe(point: OpenPoint): string {
  switch (point.kind) {
    case "ends":
      return "the loop ends";
    case "undefined":
      return `there is no ${point.problem}`;
    case "way":
    case "failure":
      return "it goes the same way here";
  }
}

/** `, if the loop at line 10 ends and nothing undefined happens at lines 12 and 14`. */
export function openText(open: readonly OpenClaim[]): string {
  const linesOf = (kind: OpenClaim["kind"]) => [
    ...new Set(open.filter((claim) => claim.kind === kind).map(({ location }) => location.line)),
  ];
  const [ends, undefined_, ways] = [linesOf("ends"), linesOf("undefined"), linesOf("way")];
  const parts: string[] = [];
  if (ends.length > 0)
    parts.push(
      `the ${ends.length === 1 ? "loop" : "loops"} at ${listLines(ends)} ${ends.length === 1 ? "ends" : "end"}`,
    );
  if (undefined_.length > 0) parts.push(`nothing undefined happens at ${listLines(undefined_)}`);
  if (ways.length > 0) parts.push(`it goes the same way at ${listLines(ways)}`);
  return parts.length === 0 ? "" : `, if ${parts.join(", and ")}`;
}

/** Places in a sentence; the report's list has all. */
const mostLines = 4;

function listLines(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  const shown = lines.slice(0, mostLines);
  const rest = lines.length - shown.length;
  if (rest > 0) return `lines ${shown.join(", ")} and ${rest} more`;
  return `lines ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
