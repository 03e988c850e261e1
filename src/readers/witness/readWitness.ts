import { TracefoldError } from "../../base/errors.ts";
import { type Waypoint, type WaypointType, type WitnessRun, waypointTypes } from "./witnessRun.ts";
import { openYaml, type YamlNode } from "./yamlNode.ts";

const actions = ["follow", "avoid"] as const;
const dataModels = ["ILP32", "LP64"] as const;

/** Reads the first violation sequence of a witness; everything that is wrong with it is an error with its place. */
export function readWitness(text: string, file: string): WitnessRun {
  const entries = openYaml(text, file);
  if (entries.kind !== "list") throw notAWitness(entries, "a witness is a list of entries");
  const sequences = entries.items().filter((entry) => entry.field("entry_type").text() === "violation_sequence");
  const [entry] = sequences;
  if (entry === undefined) throw notAWitness(entries, "there is no entry of type violation_sequence");
  const metadata = entry.field("metadata");
  const version = metadata.field("format_version");
  if (!/^2(\.\d+)?$/.test(version.text())) {
    throw notAWitness(version, `version ${version.text()} of the format is not supported`, "Versions 2.x are.");
  }
  const producer = metadata.optional("producer");
  const task = metadata.field("task");
  const hashes = task.field("input_file_hashes");
  const model = task.field("data_model");
  return {
    producer: [producer?.optional("name")?.text(), producer?.optional("version")?.text()].filter(Boolean).join(" "),
    specification: task.field("specification").text().trim(),
    dataModel: oneOf(model, dataModels, "a data model"),
    files: hashes.entries().map(([path, hash]) => ({ path, sha256: sha256(hash) })),
    waypoints: readSegments(entry.field("content")),
    others: sequences.length - 1,
    hashesAt: hashes.range,
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

function oneOf<T extends string>(node: YamlNode, values: readonly T[], what: string): T {
  const text = node.text() as T;
  if (values.includes(text)) return text;
  throw malformed(node, `${text} is not ${what}: ${values.join(" or ")}`);
}

function sha256(node: YamlNode): string {
  const text = node.text().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw malformed(node, "this is not a SHA-256 hash");
}

function malformed(node: YamlNode, message: string): TracefoldError {
  return new TracefoldError({ code: "TF196", message: `malformed witness: ${message}`, range: node.range });
}

function notAWitness(node: YamlNode, message: string, help?: string): TracefoldError {
  return new TracefoldError({
    code: "TF195",
    message: `not a violation witness: ${message}`,
    range: node.range,
    help: help ?? "A witness of format 2.0 (YAML) with a violation_sequence is needed.",
  });
}
