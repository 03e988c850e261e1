import { remembered } from "../../../base/memo.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import { objectIdOf } from "../../../interpreter/memory/pointer.ts";
import type { EffectColumns } from "../../../recording/recording.ts";
import { type WrittenArgument, writtenArguments, writtenPointers } from "../why/memoryAtSteps.ts";

type HeldCell = { readonly cell: number; readonly value: number };

/** The cells of memory that have names, with what they hold, and the writes that no step of their own stands for. */
export class MemoryCells {
  /** By object and pointer. */
  readonly #cells = new Map<number, Map<number, HeldCell>>();
  readonly #effects: { step: number; cell: number; value: number }[] = [];

  wrote(pointer: number, cell: number, value: number): void {
    remembered(this.#cells, objectIdOf(pointer), () => new Map<number, HeldCell>()).set(pointer, { cell, value });
  }

  /** A struct is copied: each cell holds what its counterpart holds. */
  copied(step: number, to: number, from: number, size: number): void {
    const sources = this.#cells.get(objectIdOf(from));
    const before = [...this.#within(to, to + size)];
    for (const [pointer, { cell }] of before) {
      const source = sources?.get(pointer - to + from);
      this.read(step, pointer, cell, source?.value ?? 0);
    }
  }

  /** A library function wrote there, and nothing else: `scanf("%d", &n)`. */
  read(step: number, pointer: number, cell: number, value: number): void {
    this.wrote(pointer, cell, value);
    this.#effects.push({ step, cell, value });
  }

  /** A library function wrote there: what lies behind the pointer in its object is not known any more. */
  overwritten(step: number, pointer: number, value: number): void {
    for (const [at, { cell }] of [...this.#within(pointer, Number.POSITIVE_INFINITY)])
      this.read(step, at, cell, at === pointer ? value : 0);
  }

  /** A call writes a parameter. */
  passed(step: number, cell: number, value: number): void {
    if (cell > 0) this.#effects.push({ step, cell, value });
  }

  effects(first: number): EffectColumns {
    return {
      step: Int32Array.from(this.#effects, ({ step }) => step - first),
      cell: Int32Array.from(this.#effects, ({ cell }) => cell),
      value: Int32Array.from(this.#effects, ({ value }) => value),
    };
  }

  *#within(from: number, end: number): Iterable<[number, HeldCell]> {
    for (const entry of this.#cells.get(objectIdOf(from)) ?? []) if (entry[0] >= from && entry[0] < end) yield entry;
  }
}

/** What a step wrote besides its own cell. */
export function furtherEffects(
  graph: DependenceGraph,
  step: number,
  cells: MemoryCells,
  valueAfter: (pointer: number) => number,
  cellOf: (argument: WrittenArgument) => number,
): void {
  const { operation } = graph.edge(step);
  if (operation.kind === "copy") {
    const [to, from] = [graph.valueOf(step, operation.to), graph.valueOf(step, operation.from)];
    if (typeof to === "number" && typeof from === "number") cells.copied(step, to, from, operation.size);
  } else if (operation.kind === "callLibrary") {
    const filled = new Map<number, WrittenArgument>();
    for (const argument of writtenArguments(graph, step)) if (argument.isWhole) filled.set(argument.pointer, argument);
    for (const pointer of writtenPointers(graph, step)) {
      const argument = filled.get(pointer);
      const cell = argument === undefined ? 0 : cellOf(argument);
      if (cell === 0) cells.overwritten(step, pointer, valueAfter(pointer));
      else cells.read(step, pointer, cell, valueAfter(pointer));
    }
  }
}

/** The steps at which library functions wrote through their arguments; of very many, the first ones. */
export function libraryWrites(graph: DependenceGraph): readonly number[] {
  const found: number[] = [];
  for (let step = graph.first; step < graph.end && found.length < mostLibraryWrites; step++)
    if (graph.edge(step).operation.kind === "callLibrary" && writtenArguments(graph, step).length > 0) found.push(step);
  return found;
}

const mostLibraryWrites = 50_000;
