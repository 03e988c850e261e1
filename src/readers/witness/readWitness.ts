import { TracefoldError } from "../../base/errors.ts";
import { malformed, oneOf, readTask } from "./readTask.ts";
import { type Waypoint, type WaypointType, type WitnessRun, waypointTypes } from "./witnessRun.ts";
import { openYaml, type YamlNode } from "./yamlNode.ts";

const actions = ["follow", "avoid"] as const;

/** Reads the first violation sequence of a witness; everything that is wrong with it is an error with its place. */
export function readWitness(text: string, file: string): WitnessRun {
  const entries = openYaml(text, file);
  if (entries.kind !== "list") throw notAWitness(entries, "a witness is a list of entries");
  const sequences = entries.items().filter((entry) => entry.field("entry_type").text() === "violation_sequence");
  const [entry] = sequences;
  if (entry === undefined) throw notAWitness(entries, "there is no entry of type violation_sequence");
  return {
    ...readTask(entry, notAWitness),
    waypoints: readSegments(entry.field("content")),
    others: sequences.length - 1,
  };
}

function readSegments(content: YamlNode): Waypoint[] {
  const segments = content.items();
  const result: Waypoint[] = [];
  for (const [index, item] of segments.entries()) {
    const segment = item.field("segment");
    const waypoints = segment.items().map((each) => readWaypoint(each.field("waypoint"), index));
    const last = waypoints.at(-1);
    if (last === undefined) throw malformed(segment, "a segment has no waypoint");
    for (const waypoint of waypoints) {
      const follows = waypoint.action === "follow";
      if (follows === (waypoint === last)) continue;
      throw malformed(segment, "in a segment the last waypoint, and no other, has the action follow");
    }
    result.push(...waypoints);
  }
  const last = result.at(-1);
  if (last === undefined) throw malformed(content, "the sequence has no segment");
  if (last.type !== "target") throw malformed(content, "the last waypoint has to be the target");
  return result;
}

function readWaypoint(node: YamlNode, segment: number): Waypoint {
  const type = node.field("type");
  if (!waypointTypes.includes(type.text() as WaypointType)) {
    throw new TracefoldError({
      code: "TF198",
      message: `unknown type of waypoint: ${type.text()}`,
      range: type.range,
      help: `Known types: ${waypointTypes.join(", ")}.`,
    });
  }
  const location = node.field("location");
  const constraint = node.optional("constraint");
  const kind = type.text() as WaypointType;
  if (constraint === null && (kind === "assumption" || kind === "branching")) {
    throw malformed(node, `a waypoint of type ${kind} needs a constraint`);
  }
  return {
    type: kind,
    action: oneOf(node.field("action"), actions, "an action"),
    segment,
    location: {
      file: location.field("file_name").text(),
      line: location.field("line").positive(),
      column: location.optional("column")?.positive() ?? null,
      function: location.optional("function")?.text() ?? null,
    },
    constraint:
      constraint === null
        ? null
        : {
            value: constraint.field("value").text(),
            format: constraint.optional("format")?.text() ?? "c_expression",
          },
    at: node.range,
  };
}

function notAWitness(node: YamlNode, message: string, help?: string): TracefoldError {
  return new TracefoldError({
    code: "TF195",
    message: `not a violation witness: ${message}`,
    range: node.range,
    help: help ?? "A witness of format 2.0 (YAML) with a violation_sequence is needed.",
  });
}
