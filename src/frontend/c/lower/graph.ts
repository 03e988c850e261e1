import type { ErrorDetails, TracefoldError } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { Operation } from "../../../ir/operation.ts";

/**
 * A function's control flow while it is being built. Locations are numbers without meaning; jumps are `skip` edges,
 * code behind a jump hangs on locations that nothing leads to. `finishGraph` removes both.
 */
export type Graph = { locations: number; readonly edges: DraftEdge[] };

export type DraftEdge = {
  from: number;
  readonly to: number;
  readonly operation: Operation;
  readonly range: SourceRange;
  /** Stands for a construct that is not supported; an error if the edge turns out to be reachable. */
  readonly refused?: TracefoldError;
  /** Needs the function of this name, which no file defines; an error of the program if the edge is reachable. */
  readonly missing?: string;
};

/** Whoever emits has a graph and a current location, from which the next edge leaves. */
export type Emitter = { readonly graph: Graph; here: number };

export function newGraph(): Graph {
  return { locations: 0, edges: [] };
}

export function newLocation(emitter: Emitter): number {
  return emitter.graph.locations++;
}

/** Adds an edge from here to a new location and goes there. */
export function emit(emitter: Emitter, operation: Operation, range: SourceRange): void {
  const to = newLocation(emitter);
  emitter.graph.edges.push({ from: emitter.here, to, operation, range });
  emitter.here = to;
}

export function emitMissing(emitter: Emitter, name: string, range: SourceRange): void {
  const to = newLocation(emitter);
  emitter.graph.edges.push({ from: emitter.here, to, operation: { kind: "skip" }, range, missing: name });
  emitter.here = to;
}

/** A run that comes here cannot go on: the error is the run's, not the program's. */
export function emitRefusal(
  emitter: Emitter & { readonly exit: number },
  error: ErrorDetails,
  range: SourceRange,
): void {
  const { code, message, help } = error;
  emitTo(
    emitter,
    emitter.exit,
    { kind: "fail", reason: "unsupported", text: message, refusal: { code, help }, code: null },
    range,
  );
}

/** Adds an edge to `to`; what is emitted next is unreachable unless something else leads there. */
export function emitTo(emitter: Emitter, to: number, operation: Operation, range: SourceRange): void {
  emitter.graph.edges.push({ from: emitter.here, to, operation, range });
  emitter.here = newLocation(emitter);
}

export function jump(emitter: Emitter, to: number, range: SourceRange): void {
  emitTo(emitter, to, { kind: "skip" }, range);
}

/** Continues at `to`, which the code before it falls into. */
export function fallInto(emitter: Emitter, to: number, range: SourceRange): void {
  jump(emitter, to, range);
  emitter.here = to;
}

/** A point before which an operand may still have to be saved. */
export type Mark = { readonly location: number; readonly edges: number };

export function mark(emitter: Emitter): Mark {
  return { location: emitter.here, edges: emitter.graph.edges.length };
}

/** Puts an operation before everything that was emitted since the mark. */
export function insertAt(emitter: Emitter, at: Mark, operation: Operation, range: SourceRange): void {
  const edges = emitter.graph.edges;
  const to = newLocation(emitter);
  for (let i = at.edges; i < edges.length; i++) {
    const edge = edges[i]!;
    if (edge.from === at.location) edge.from = to;
  }
  edges.push({ from: at.location, to, operation, range });
  if (emitter.here === at.location) emitter.here = to;
}
