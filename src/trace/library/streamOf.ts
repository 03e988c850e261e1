import type { Machine } from "../machine.ts";
import { fieldOrigin, firstObject, objectFields } from "../memory/memory.ts";
import { objectIdOf, offsetOf } from "../memory/pointer.ts";
import { badArgument } from "./bytes.ts";

/** Streams are static objects that lowering names: `$stdin`, `$stdout`, `$stderr`. */
export function streamOf(machine: Machine, stream: number, site: number, direction: "output"): "output" | "errors";
export function streamOf(machine: Machine, stream: number, site: number, direction: "input"): "input";
export function streamOf(
  machine: Machine,
  stream: number,
  site: number,
  direction: "input" | "output",
): "input" | "output" | "errors" {
  const { memory, program } = machine;
  const id = objectIdOf(stream);
  const known = offsetOf(stream) === 0 && id >= firstObject && id < memory.objectCount;
  const name = known ? program.variables[memory.objects[id * objectFields + fieldOrigin]!]?.name : undefined;
  if (direction === "input" && name === "$stdin") return "input";
  if (direction === "output" && name === "$stdout") return "output";
  if (direction === "output" && name === "$stderr") return "errors";
  const expected = direction === "input" ? "an input" : "an output";
  return badArgument(stream === 0 ? "the stream is a null pointer" : `the stream is not ${expected} stream`, site);
}
