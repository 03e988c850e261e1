import { nth } from "../../../base/checked.ts";
import { TracefoldError } from "../../../base/errors.ts";
import { certificateOf } from "../../../cutpoints/certificate.ts";
import { createRegionContext, initializerFrame, type RegionContext } from "../../../cutpoints/regionContext.ts";
import { isTrue, type Term, type Variable } from "../../../logic/term.ts";
import { axiomsFor, createProver } from "../../../symbolic/createProver.ts";
import type { InlinedNode } from "../../../symbolic/followEdge.ts";
import { startOfProgram } from "../../../symbolic/symbolicState.ts";
import { type Finding, type Task, unknownFinding, type VerifyEngine } from "../engine.ts";
import { exploreHead } from "./exploreHead.ts";
import { traverse } from "./traverse.ts";
import type { ErrorPath, Explored, Segment, Tree } from "./tree.ts";

export type MinimaxOptions = {
  /** True to interpolate; otherwise only equal states are subsumed. */
  readonly interpolates: boolean;
  /** Receives the counts at the end. */
  readonly counted?: (counts: Tree["counts"]) => void;
};

/**
 * Unbounded symbolic execution (Jaffar, Navas, Santosa: the minimax algorithm of TRACER): depth-first, with
 * interpolation to generalise infeasible paths; at loops the strongest individually invariant constraints, which are
 * locked if their loss admits an error.
 */
export function minimax(options: MinimaxOptions): VerifyEngine {
  return { name: "minimax", decide: (task) => decide(task, options) };
}

const mostCases = 12;

function decide(task: Task, options: MinimaxOptions): Finding {
  const { model, solver, cancellation } = task;
  const { symbols, terms } = model;
  const context = createRegionContext(symbols, model);
  const tree: Tree = {
    context,
    prover: createProver(symbols, solver, cancellation),
    cancellation,
    interpolates: options.interpolates,
    counts: { states: 0, subsumed: 0 },
    memo: new Map(),
    heads: new Map(),
  };
  try {
    const result = exploreProgram(tree, context, placesOf(task));
    if (result.kind === "unknown") return unknownFinding(result.reason);
    if (result.kind === "error") return errorFinding(task, result.path);
    const invariants = new Map<string, readonly Term[]>();
    for (const key of model.heads.keys()) {
      const entries = tree.heads.get(key) ?? [];
      const formula = terms.any(entries.map(({ constraints }) => terms.all(constraints)));
      invariants.set(
        key,
        [formula, ...(task.knowledge.invariants.get(key) ?? [])].filter((part) => !isTrue(part)),
      );
    }
    // The interpolants at joins: without them the checker would have to find them again.
    for (const [key, interpolants] of tree.memo) {
      if (!model.heads.has(key) && interpolants.length <= mostCases) invariants.set(key, [terms.any(interpolants)]);
    }
    return { kind: "safe", certificate: certificateOf(model, invariants) };
  } catch (error) {
    if (error instanceof TracefoldError) return unknownFinding(error.message);
    throw error;
  } finally {
    options.counted?.(tree.counts);
  }
}

function placesOf({ model }: Task): readonly Variable[] {
  return [...new Set([...model.heads.values()].flatMap(({ live }) => live))];
}

function exploreProgram(tree: Tree, context: RegionContext, places: readonly Variable[]): Explored {
  const { symbols } = context;
  const { program, terms } = symbols;
  const initializer = nth(program.functions, program.initializer);
  const node: InlinedNode = {
    function: initializer,
    location: initializer.entry,
    frame: initializerFrame,
    context: null,
  };
  context.setStart(true);
  const session = tree.prover.open([]);
  const segment: Segment = {
    session,
    falsity: terms.bool(false),
    assumed: [],
    places,
    arrive: (position) => exploreHead(tree, segment, position, { places, ancestors: [] }),
  };
  return traverse(tree, segment, { node, state: startOfProgram(symbols), conditions: [], inputs: [], examples: [] });
}

/** Runs the inputs of an error path. Abstraction at heads may make the path infeasible. */
function errorFinding({ model, solver, confirm }: Task, { conditions, inputs }: ErrorPath): Finding {
  solver.push();
  try {
    solver.assert(...conditions, ...axiomsFor(model.symbols, [...conditions, ...inputs], new Set()));
    const answer = solver.check([]);
    if (answer.kind !== "sat") return unknownFinding("an error that only the abstraction of a loop has");
    const values = answer.model.evaluateAll(inputs).map((value) => (typeof value === "bigint" ? value : 0n));
    return confirm(values) ? { kind: "unsafe", inputs: values } : unknownFinding("an error that no run confirms");
  } finally {
    solver.pop();
  }
}
