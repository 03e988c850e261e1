import type { SourceRange } from "../../base/sourceRange.ts";

export const waypointTypes = ["assumption", "branching", "function_enter", "function_return", "target"] as const;
export type WaypointType = (typeof waypointTypes)[number];

/** A violation witness of format 2.x as the source of a run. */
export type WitnessRun = {
  /** `CPAchecker 4.0`. */
  readonly producer: string;
  readonly specification: string;
  readonly dataModel: "ILP32" | "LP64";
  /** The files that the witness is about, by the names that its producer knew them by. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  /** In the order of the run. Waypoints of one segment stand together; its last one has the action `follow`. */
  readonly waypoints: readonly Waypoint[];
  /** Further violation sequences in the file, which are not read. */
  readonly others: number;
  /** Where `input_file_hashes` stands in the witness. */
  readonly hashesAt: SourceRange;
};

export type Waypoint = {
  readonly type: WaypointType;
  readonly action: "follow" | "avoid";
  /** Number of its segment, from 0. */
  readonly segment: number;
  readonly location: {
    readonly file: string;
    readonly line: number;
    readonly column: number | null;
    readonly function: string | null;
  };
  readonly constraint: { readonly value: string; readonly format: string } | null;
  /** Where it stands in the witness. */
  readonly at: SourceRange;
};
