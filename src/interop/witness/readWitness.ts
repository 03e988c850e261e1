import { nth, present } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { InputSource } from "../../interpreter/inputs.ts";
import type { Program } from "../../ir/program.ts";
import { oneOf, openWitness, readLocation, type WitnessLocation, type WitnessTask } from "./readInvariants.ts";
import { malformed, type YamlNode } from "./yamlNode.ts";

const actions = ["follow", "avoid"] as const;

/** Reads the first violation sequence of a witness; everything that is wrong with it is an error with its place. */
export function readWitness(text: string, file: string): WitnessRun {
  const { task, entries } = openWitness(text, file, "violation_sequence");
  return { ...task, waypoints: readSegments(entries[0].field("content")) };
}

function readSegments(content: YamlNode): Waypoint[] {
  const result: Waypoint[] = [];
  for (const item of content.items()) {
    const segment = item.field("segment");
    const waypoints = segment.items().map((each) => readWaypoint(each.field("waypoint")));
    const last = waypoints.at(-1);
    if (last === undefined) throw malformed(segment.range, "a segment has no waypoint");
    for (const waypoint of waypoints) {
      const follows = waypoint.action === "follow";
      if (follows === (waypoint === last)) continue;
      throw malformed(segment.range, "in a segment the last waypoint, and no other, has the action follow");
    }
    result.push(...waypoints);
  }
  const last = result.at(-1);
  if (last === undefined) throw malformed(content.range, "the sequence has no segment");
  if (last.type !== "target") throw malformed(content.range, "the last waypoint has to be the target");
  return result;
}

function readWaypoint(node: YamlNode): Waypoint {
  const type = node.field("type");
  if (!waypointTypes.includes(type.text() as WaypointType)) {
    throw new TracefoldError({
      code: "TF198",
      message: `unknown type of waypoint: ${type.text()}`,
      range: type.range,
      help: `Known types: ${waypointTypes.join(", ")}.`,
    });
  }
  const constraint = node.optional("constraint");
  const kind = type.text() as WaypointType;
  if (constraint === null && (kind === "assumption" || kind === "branching")) {
    throw malformed(node.range, `a waypoint of type ${kind} needs a constraint`);
  }
  return {
    type: kind,
    action: oneOf(node.field("action"), actions, "an action"),
    location: readLocation(node.field("location")),
    constraint: constraint?.field("value").text() ?? null,
    at: node.range,
  };
}

const waypointTypes = ["assumption", "branching", "function_enter", "function_return", "target"] as const;
type WaypointType = (typeof waypointTypes)[number];

/** A violation witness of format 2.x as the source of a run. */
export type WitnessRun = WitnessTask & {
  /** In the order of the run. Waypoints of one segment stand together; its last one has the action `follow`. */
  readonly waypoints: readonly Waypoint[];
};

export type Waypoint = {
  readonly type: WaypointType;
  readonly action: "follow" | "avoid";
  readonly location: WitnessLocation;
  /** An expression; null for waypoints without one. */
  readonly constraint: string | null;
  /** Its place in the witness. */
  readonly at: SourceRange;
};

/** A value that a witness gives to what a call returned (`name` is null) or to a variable. */
type WitnessValue = {
  readonly name: string | null;
  readonly value: bigint;
  readonly waypoint: Waypoint;
};

/**
 * The concrete values among the waypoints that a run has to follow, in order: `\result == 7` of a function_return, and the
 * equations `n == 7` between `&&` of an assumption. Other constraints are conditions for whoever searches a run.
 */
export function witnessValues({ waypoints }: WitnessRun): WitnessValue[] {
  return waypoints.flatMap((waypoint): WitnessValue[] => {
    const { constraint: value } = waypoint;
    if (waypoint.action !== "follow" || value === null) return [];
    if (waypoint.type === "function_return")
      return resultOf(value).map((found) => ({ name: null, value: found, waypoint }));
    if (waypoint.type !== "assumption" || value.includes("||")) return [];
    return value.split("&&").flatMap((part) => equation(part).map((found) => ({ ...found, waypoint })));
  });
}

function resultOf(constraint: string): bigint[] {
  const match = /^\s*\(*\s*\\result\s*==\s*\(*\s*(-?\s*\w+)\s*\)*\s*$/.exec(constraint);
  return match === null ? [] : integer(nth(match, 1));
}

function equation(part: string): { readonly name: string; readonly value: bigint }[] {
  const bare = part.replaceAll(/[()]/g, " ").trim();
  const forward = /^([A-Za-z_]\w*)\s*==\s*(-?\s*\w+)$/.exec(bare);
  const backward = /^(-?\s*\d\w*)\s*==\s*([A-Za-z_]\w*)$/.exec(bare);
  const [name, text] = forward !== null ? [nth(forward, 1), nth(forward, 2)] : [backward?.[2], backward?.[1]];
  if (name === undefined || text === undefined) return [];
  return integer(text).map((value) => ({ name, value }));
}

/** C's integer constants: decimal, hexadecimal or octal, with a sign and suffixes. */
function integer(text: string): bigint[] {
  const match = /^(-?)\s*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$/.exec(text);
  if (match === null) return [];
  const digits = nth(match, 2);
  if (/^0\d/.test(digits) && /[89]/.test(digits)) return [];
  const magnitude = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return [match[1] === "-" ? -magnitude : magnitude];
}

/**
 * The inputs of a run that a witness describes. A value is taken for the next read that it can be about: one at the
 * line of a `function_return`, or one into the variable of an assumption. What the witness leaves open, `open` gives.
 * One source serves one run.
 */
export function witnessInputs(witness: WitnessRun, program: Program, open: InputSource): InputSource {
  const values = witnessValues(witness).filter((value) => value.name === null || isRead(program, value));
  const targets = readVariables(program);
  let next = 0;
  return (request) => {
    const value = values[next];
    if (value === undefined) return open(request);
    const { line, endLine } = request.range;
    const at = value.waypoint.location.line;
    const names = targets.get(`${request.range.file}:${line}:${request.range.column}`) ?? [];
    const fits =
      value.name === null ? line <= at && at <= endLine : names.includes(value.name) || request.source === value.name;
    if (!fits) return open(request);
    next++;
    return value.value;
  };
}

/** Assumptions about variables that are not read from outside are facts, which follow. */
function isRead(program: Program, value: WitnessValue): boolean {
  return [...readVariables(program).values()].some((names) => names.includes(present(value.name)));
}

/** For each place of a read the variables that get its value, directly or by the assignment right behind it. */
function readVariables(program: Program): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { edges } of program.functions) {
    for (const { operation, range, to } of edges) {
      if (operation.kind !== "input") continue;
      const key = `${range.file}:${range.line}:${range.column}`;
      const names = found.get(key) ?? [];
      names.push(nth(program.variables, operation.target).name, operation.source);
      for (const { from, operation: after } of edges) {
        if (from === to && after.kind === "assign") names.push(nth(program.variables, after.target).name);
      }
      found.set(key, names);
    }
  }
  return found;
}
