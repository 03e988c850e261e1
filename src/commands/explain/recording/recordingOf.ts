import { flipOutcomes } from "../../../analyses/counterfactual/flipOutcomes.ts";
import { nth } from "../../../base/checked.ts";
import { remembered } from "../../../base/memo.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import type { Read } from "../../../dependence/read.ts";
import type { Expression } from "../../../ir/expression.ts";
import type { Edge } from "../../../ir/program.ts";
import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { isScalar, type ScalarType, type Type } from "../../../ir/type.ts";
import { beforeTheWindow, fromTheStart, type ReadColumns, type Recording } from "../../../recording/recording.ts";
import { type MemoryAtSteps, memoryAtSteps, type WrittenArgument } from "../why/memoryAtSteps.ts";
import { type LiteralStyle, literalStyles, printValue } from "../why/printValue.ts";
import { type Visits, visitsOf } from "../why/visits.ts";
import { createWording } from "../why/wording.ts";
import { furtherEffects, libraryWrites, MemoryCells } from "./memoryCells.ts";
import { nameOfVariable, programPlaces } from "./programPlaces.ts";
import { VariableObjects } from "./variableObjects.ts";

/** The owner of a cell that belongs to no call. */
const inMemory = -1;

/** A recorded run of a program, with all its values, for the page and other views. */
export function recordingOf(graph: DependenceGraph): Recording {
  const { first, end, trace } = graph;
  const { program } = trace;
  const count = end - first;
  const places = programPlaces(program);
  const visits = visitsOf(graph);
  const styles = literalStyles(program);
  const memory = memoryAtSteps(graph, [...firstUses(graph), ...libraryWrites(graph)]);
  const wording = createWording(graph, styles, memory);
  const values = new Dictionary();
  // Cells with one name are different ones: each call has its own `i`, each object its own `p->next`.
  const cells: string[] = [""];
  const cellOwners = [inMemory];
  const ownNames = [""];
  const variableObjects = new VariableObjects(graph);
  const newCell = (name: string, owner: number, ownName = ""): number => {
    if (name === "") return 0;
    cellOwners.push(owner);
    ownNames.push(ownName);
    return cells.push(name) - 1;
  };
  const steps = {
    place: new Int32Array(count),
    execution: new Int32Array(count),
    activation: new Int32Array(count),
    control: new Int32Array(count),
    value: new Int32Array(count),
    cell: new Int32Array(count),
    firstRead: new Int32Array(count + 1),
  };
  const reads = new ReadList();
  const executions = executionsOf(graph, visits, (visit) => places.statementOf(visits.unit(visit)), steps.execution);
  const print = valuePrinter(memory, values);
  const firstActivation = count === 0 ? 0 : smallestActivation(graph);
  const memoryCells = new MemoryCells();
  const registers = new Map<number, number>();
  const cellsAt = new Map<string, number>();
  const registerCell = (variable: number, step: number): number => {
    const name = nameOfVariable(program, variable);
    if (name === "") return 0;
    const isStatic = nth(program.variables, variable).kind === "static";
    // A number as the key: this is asked at nearly every step.
    const owner = isStatic ? inMemory : graph.activation(step) - firstActivation;
    return remembered(registers, (1 + owner) * program.variables.length + variable, () => newCell(name, owner));
  };

  /** By call and name: the declared variables. */
  const declared = new Map<string, Type>();
  /** The memory of a local variable belongs to its call, what a pointer points to belongs to nobody. */
  const ownerOf = (name: string, step: number): number => {
    const owner = graph.activation(step) - firstActivation;
    const [base = ""] = /^\w+/.exec(name) ?? [];
    const type = declared.get(`${owner} ${base}`);
    return type !== undefined && (name === base || type.kind !== "pointer") ? owner : inMemory;
  };

  const entered = new Set<number>();
  /** What a call is given is written into the parameters, whether they are read or not. */
  const passArguments = (step: number): void => {
    const activation = graph.activation(step);
    if (entered.has(activation)) return;
    entered.add(activation);
    const call = graph.callOf(activation);
    const operation = call === null || call < first ? null : graph.edge(call).operation;
    if (call === null || operation?.kind !== "call") return;
    for (const [i, variable] of graph.function(step).parameters.entries()) {
      const given = operation.arguments[i];
      const value = given === undefined ? undefined : graph.valueOf(call, given);
      const { type } = nth(program.variables, variable);
      if (value === undefined || !isScalar(type)) continue;
      const text = print(call, value, type, styles.ofVariable(variable));
      memoryCells.passed(call, registerCell(variable, step), text);
    }
  };

  /** The cell that a step names for the first time, or that has its name already. */
  const memoryCell = (step: number, pointer: number, part: number, type: Type | null, nameIt: () => string): number =>
    remembered(cellsAt, `*${pointer}:${part}`, () => {
      const name = nameIt();
      const variable = type === null ? null : variableObjects.partAt(pointer, type);
      if (variable === null || variable.name === name) return newCell(name, ownerOf(name, step));
      const { activation } = variable;
      return newCell(name, activation === null ? inMemory : activation - firstActivation, variable.name);
    });
  const filledCell = (step: number, { argument, pointer }: WrittenArgument): number => {
    if (!wording.hasWords(argument)) return 0;
    const text = wording.text(step, argument);
    return memoryCell(step, pointer, 0, null, () =>
      text.startsWith("&") ? text.slice(1) : wording.place(step, argument),
    );
  };

  const undefinedAt = trace.outcome.kind === "undefined-behaviour" ? end - 1 : null;
  for (let step = first; step < end; step++) {
    const at = step - first;
    passArguments(step);
    const code = graph.code(step);
    const edge = nth(graph.edges, code);
    steps.place[at] = places.placeOf(code);
    steps.activation[at] = graph.activation(step) - firstActivation;
    const control = graph.parent(step);
    steps.control[at] = control === null || control < first ? fromTheStart : control - first;
    steps.firstRead[at] = reads.length;
    for (const read of graph.reads(step)) {
      const part = read.expression === null ? -1 : places.partOf(places.placeOf(code), read.expression);
      const value = readValue(step, read, print, (expression) => styles.of(expression));
      const writer = read.writer === null ? fromTheStart : read.writer < first ? beforeTheWindow : read.writer - first;
      reads.add(writer, value, part, read.role === "address" ? 1 : 0);
    }
    if (step !== undefinedAt) variableObjects.handedOn(step);
    // The last step of a run that is undefined has no effect.
    const written = step === undefinedAt ? null : writtenPlace(graph, step, edge, visits, places.isNegated(code));
    if (step !== undefinedAt)
      furtherEffects(
        graph,
        step,
        memoryCells,
        (pointer) => textAfter(memory, step, pointer, values),
        (argument) => filledCell(step, argument),
      );
    if (edge.operation.kind === "declare") {
      const { name, type } = nth(program.variables, edge.operation.variable);
      declared.set(`${steps.activation[at]} ${name}`, type);
      steps.cell[at] = registerCell(edge.operation.variable, step);
    }
    if (written === null) continue;
    const { value, type, style } = written;
    if (value !== undefined && type !== null) steps.value[at] = print(step, value, type, style(styles));
    else if (written.text !== undefined) steps.value[at] = values.add(written.text);
    if (edge.operation.kind === "store" || edge.operation.kind === "copy") {
      const address = edge.operation.kind === "store" ? edge.operation.address : edge.operation.to;
      const pointer = graph.valueOf(step, address);
      if (typeof pointer === "number" && wording.hasWords(address)) {
        const part = "bitField" in edge.operation ? (edge.operation.bitField?.shift ?? 0) : 0;
        const whole = "bitField" in edge.operation && edge.operation.bitField !== undefined ? null : type;
        steps.cell[at] = memoryCell(step, pointer, part, whole, () => wording.place(step, address));
        if (edge.operation.kind === "store") memoryCells.wrote(pointer, steps.cell[at] ?? 0, steps.value[at] ?? 0);
      }
    } else if ("target" in edge.operation && edge.operation.target !== null && edge.operation.kind !== "call") {
      steps.cell[at] = registerCell(edge.operation.target, step);
    } else if (edge.operation.kind === "return") {
      // The caller's variable gets its value here.
      const call = graph.callOf(graph.activation(step));
      const caller = call === null || call < first ? null : graph.edge(call).operation;
      if (caller?.kind === "call" && caller.target !== null && call !== null)
        steps.cell[at] = registerCell(caller.target, call);
    }
  }
  steps.firstRead[count] = reads.length;
  return {
    stepName: "step",
    first,
    executionsFrom: null,
    files: places.files,
    functions: places.functions,
    statements: places.statements,
    places: places.places,
    values: values.texts,
    cells,
    cellOwners: Int32Array.from(cellOwners),
    ownNames,
    steps,
    reads: reads.columns(),
    executions,
    activations: activationsOf(graph, firstActivation),
    effects: memoryCells.effects(first),
    flips: [],
    limits: [
      ...(first > 0 ? [`only the last ${count.toLocaleString("en-US")} steps of the run are recorded`] : []),
      ...(graph.readsLeftOut > 0
        ? [`${graph.readsLeftOut.toLocaleString("en-US")} reads of library functions are not listed`]
        : []),
    ],
  };
}

/** The number that a library call left at a pointer; 0 for a text, which fills many cells, and if it is not known. */
function textAfter(memory: MemoryAtSteps, step: number, pointer: number, values: Dictionary): number {
  const value = memory.after(step, pointer);
  return value === undefined || typeof value === "string" ? 0 : values.add(`${value}`);
}

/** Numbers texts in the order of their first use; 0 is no text. */
class Dictionary {
  readonly texts: string[] = [""];
  readonly #numbers = new Map<string, number>([["", 0]]);

  add(text: string): number {
    return remembered(this.#numbers, text, () => this.texts.push(text) - 1);
  }
}

class ReadList {
  #columns = {
    writer: new Int32Array(1024),
    value: new Int32Array(1024),
    part: new Int32Array(1024),
    role: new Int32Array(1024),
  };
  length = 0;

  add(writer: number, value: number, part: number, role: number): void {
    if (this.length === this.#columns.writer.length) this.#grow();
    const { length } = this;
    this.#columns.writer[length] = writer;
    this.#columns.value[length] = value;
    this.#columns.part[length] = part;
    this.#columns.role[length] = role;
    this.length++;
  }

  columns(): ReadColumns {
    const { writer, value, part, role } = this.#columns;
    const own = (column: Int32Array) => column.slice(0, this.length);
    return { writer: own(writer), value: own(value), part: own(part), role: own(role) };
  }

  #grow(): void {
    const larger = (column: Int32Array) => {
      const next = new Int32Array(2 * column.length);
      next.set(column);
      return next;
    };
    const { writer, value, part, role } = this.#columns;
    this.#columns = { writer: larger(writer), value: larger(value), part: larger(part), role: larger(role) };
  }
}

type Print = (step: number, value: ScalarValue, type: ScalarType, style: LiteralStyle) => number;

/** Prints values as the source writes them. Most values occur often, so each is printed once. */
function valuePrinter(memory: MemoryAtSteps, values: Dictionary): Print {
  const known = new Map<LiteralStyle, Map<ScalarType, Map<ScalarValue, number>>>();
  return (step, value, type, style) => {
    if (type.kind === "pointer" && typeof value === "number") return values.add(memory.name(step, value, type));
    const byType = known.get(style) ?? remembered(known, style, () => new Map<ScalarType, Map<ScalarValue, number>>());
    const byValue = byType.get(type) ?? remembered(byType, type, () => new Map<ScalarValue, number>());
    return byValue.get(value) ?? remembered(byValue, value, () => values.add(printValue(value, type, style)));
  };
}

function readValue(step: number, read: Read, print: Print, styleOf: (expression: Expression) => LiteralStyle): number {
  const { expression, value } = read;
  if (expression === null || value === undefined || !isScalar(expression.type)) return 0;
  return print(step, value, expression.type, styleOf(expression));
}

type WrittenValue = {
  readonly value: ScalarValue | undefined;
  readonly type: ScalarType | null;
  /** For conditions. */
  readonly text?: string;
  style(styles: ReturnType<typeof literalStyles>): LiteralStyle;
};

const plain: LiteralStyle = { kind: "decimal" };

function writtenPlace(
  graph: DependenceGraph,
  step: number,
  edge: Edge,
  visits: Visits,
  isNegated: boolean,
): WrittenValue | null {
  const { operation } = edge;
  const { variables } = graph.trace.program;
  switch (operation.kind) {
    case "assign":
    case "input":
    case "callLibrary": {
      if (operation.target === null) return null;
      const { target } = operation;
      const { type } = nth(variables, target);
      return {
        value: graph.value(step),
        type: isScalar(type) ? type : null,
        style(styles) {
          const own = styles.ofVariable(target);
          return own.kind === "decimal" && operation.kind === "assign" ? styles.of(operation.value) : own;
        },
      };
    }
    case "store":
      return {
        value: graph.value(step),
        type: operation.type,
        style(styles) {
          const own = styles.ofAddress(operation.address);
          return own.kind === "decimal" ? styles.of(operation.value) : own;
        },
      };
    case "copy":
      return { value: undefined, type: null, style: () => plain };
    case "return":
      return {
        value: graph.value(step),
        type: operation.value === null ? null : operation.value.type,
        style(styles) {
          const own = styles.ofResult(graph.function(step).id);
          return own.kind === "decimal" && operation.value !== null ? styles.of(operation.value) : own;
        },
      };
    case "call": {
      const end = visits.returnOf(step);
      if (operation.target === null || end === null) return null;
      const { target } = operation;
      const { type } = nth(variables, target);
      return {
        value: graph.value(end),
        type: isScalar(type) ? type : null,
        style: (styles) => styles.ofVariable(target),
      };
    }
    case "assume":
      return { value: undefined, type: null, text: `${operation.negated === isNegated}`, style: () => plain };
    case "case":
      return {
        value: graph.valueOf(step, operation.selector),
        type: operation.selector.type,
        style: (styles) => styles.of(operation.selector),
      };
    default:
      return null;
  }
}

/** The steps at which a pointer occurs for the first time: memory is looked at there to name its target. */
function firstUses(graph: DependenceGraph): readonly number[] {
  const seen = new Set<ScalarValue>();
  const found: number[] = [];
  const isNew = (value: ScalarValue | undefined): boolean => {
    if (value === undefined || value === 0 || seen.has(value) || seen.size >= mostPointers) return false;
    seen.add(value);
    return true;
  };
  for (let step = graph.first; step < graph.end; step++) {
    let isFirst = false;
    for (const { expression, value } of graph.reads(step))
      if (expression?.type.kind === "pointer" && isNew(value)) isFirst = true;
    const { operation } = graph.edge(step);
    if (operation.kind === "store" && isNew(graph.valueOf(step, operation.address))) isFirst = true;
    if (isFirst) found.push(step);
  }
  return found;
}

/** Others are named by their block. */
const mostPointers = 20_000;

function executionsOf(
  graph: DependenceGraph,
  visits: Visits,
  statementOf: (visit: number) => number,
  execution: Int32Array,
): Recording["executions"] {
  const { first, end } = graph;
  let count = 0;
  for (let step = first; step < end; step++) {
    const visit = visits.of(step);
    execution[step - first] = visit;
    count = Math.max(count, visit + 1);
  }
  const columns = {
    statement: new Int32Array(count),
    activation: new Int32Array(count),
    firstStep: new Int32Array(count),
  };
  const base = count === 0 ? 0 : smallestActivation(graph);
  for (let visit = 0; visit < count; visit++) {
    const step = visits.first(visit);
    columns.statement[visit] = statementOf(visit);
    columns.activation[visit] = graph.activation(step) - base;
    columns.firstStep[visit] = step - first;
  }
  return columns;
}

function smallestActivation(graph: DependenceGraph): number {
  let least = Number.POSITIVE_INFINITY;
  for (let step = graph.first; step < graph.end; step++) least = Math.min(least, graph.activation(step));
  return least;
}

function activationsOf(graph: DependenceGraph, base: number): Recording["activations"] {
  const { first, end } = graph;
  let count = 0;
  for (let step = first; step < end; step++) count = Math.max(count, graph.activation(step) - base + 1);
  const columns = { function: new Int32Array(count), call: new Int32Array(count).fill(fromTheStart) };
  const seen = new Uint8Array(count);
  for (let step = first; step < end; step++) {
    const activation = graph.activation(step) - base;
    if (seen[activation] === 1) continue;
    seen[activation] = 1;
    columns.function[activation] = graph.function(step).id;
    const call = graph.callOf(activation + base);
    columns.call[activation] = call === null || call < first ? fromTheStart : call - first;
  }
  return columns;
}

/** A recording with the conditions that were run again with their other outcome. */
export function recordRun(graph: DependenceGraph): Recording {
  const flips = flipOutcomes(graph).map(({ step, level }) => ({ step: step - graph.first, end: level }));
  return { ...recordingOf(graph), flips };
}
