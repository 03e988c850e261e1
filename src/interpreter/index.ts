/** The interpreter's interface: runs, recorded traces, inputs and replay. See docs/interpreter.md. */

export type { UndefinedBehaviour } from "../ir/operation.ts";
export type { ScalarValue } from "../ir/scalarValue.ts";
export { type CompiledProgram, compileProgram } from "./compile/compileProgram.ts";
export type { CompileMode } from "./compile/context.ts";
export type { ObjectDescription } from "./describeObject.ts";
export {
  checkInput,
  type InputRequest,
  type InputSource,
  type InputValue,
  listedInputs,
  parseInputs,
  randomInputs,
} from "./inputs.ts";
export type { RecordedInput, WriteVisitor } from "./machine.ts";
export { objectIdOf, offsetOf } from "./memory/pointer.ts";
export { type ObservationPoint, type ObservedState, observe } from "./observe.ts";
export type { EndPlace, Limit, Outcome } from "./outcome.ts";
export { type Blocks, blocksOf } from "./paths.ts";
export type { RunOptions } from "./run.ts";
export { type RunResult, runProgram } from "./run.ts";
export { edgeAt, type LoopActivation, type StepCursor, stepCursor } from "./stepCursor.ts";
export { type ReplaySettings, recordTrace, replay, replayWrites, type Trace } from "./trace.ts";
