import type {
  ActivationColumns,
  EffectColumns,
  ExecutionColumns,
  ReadColumns,
  Recording,
  StepColumns,
} from "./recording.ts";

/** A recording as tables in JSON and one block of bytes that compresses well. */
export type PackedRecording = { readonly head: PackedHead; readonly bytes: Uint8Array };

/** The texts of values and cells are long, so they lie in the bytes: only who asks about the run reads them. */
export type PackedHead = Omit<
  Recording,
  "steps" | "reads" | "executions" | "activations" | "effects" | "values" | "cells" | "cellOwners" | "ownNames"
> & {
  readonly lengths: readonly [steps: number, reads: number, executions: number, activations: number, effects: number];
};

/** Numbers as the distance to the one before, or to their own index: both are small where steps follow each other. */
type Coding = "delta" | "index" | "plain";

const stepCodings: Readonly<Record<keyof StepColumns, Coding>> = {
  place: "delta",
  execution: "delta",
  activation: "delta",
  control: "index",
  value: "delta",
  cell: "delta",
  firstRead: "delta",
};

const executionCodings: Readonly<Record<keyof ExecutionColumns, Coding>> = {
  statement: "delta",
  activation: "delta",
  firstStep: "delta",
};

const activationCodings: Readonly<Record<keyof ActivationColumns, Coding>> = { function: "plain", call: "delta" };

const effectCodings: Readonly<Record<keyof EffectColumns, Coding>> = { step: "delta", cell: "delta", value: "delta" };

/** A value is mostly that of its writer: 0. */
const valueOfWriter = 0;

export function packRecording(recording: Recording): PackedRecording {
  const { steps, reads, executions, activations, effects, values, cells, cellOwners, ownNames, ...tables } = recording;
  const out = new ByteWriter();
  out.texts(values);
  out.texts(cells);
  out.texts(ownNames);
  for (const [name, coding] of codings(stepCodings)) out.column(steps[name], coding);
  const ownerOf = readOwners(steps.firstRead, reads.writer.length);
  // Relative to the step that reads, writers are near.
  out.column(
    reads.writer.map((writer, i) => (writer < 0 ? writer : (ownerOf[i] ?? 0) - writer)),
    "plain",
  );
  out.column(
    reads.value.map((value, i) => {
      const writer = reads.writer[i] ?? -1;
      return writer >= 0 && steps.value[writer] === value ? valueOfWriter : value + 1;
    }),
    "plain",
  );
  out.column(reads.part, "plain");
  out.column(reads.role, "plain");
  for (const [name, coding] of codings(executionCodings)) out.column(executions[name], coding);
  for (const [name, coding] of codings(activationCodings)) out.column(activations[name], coding);
  for (const [name, coding] of codings(effectCodings)) out.column(effects[name], coding);
  out.column(cellOwners, "delta");
  return {
    head: {
      ...tables,
      lengths: [
        steps.place.length,
        reads.writer.length,
        executions.statement.length,
        activations.function.length,
        effects.step.length,
      ],
    },
    bytes: out.bytes(),
  };
}

export function unpackRecording({ head, bytes }: PackedRecording): Recording {
  const { lengths, ...tables } = head;
  const [stepCount, readCount, executionCount, activationCount, effectCount] = lengths;
  const input = new ByteReader(bytes);
  const values = input.texts();
  const cells = input.texts();
  const ownNames = input.texts();
  const steps = Object.fromEntries(
    codings(stepCodings).map(([name, coding]) => [
      name,
      input.column(name === "firstRead" ? stepCount + 1 : stepCount, coding),
    ]),
  ) as StepColumns;
  const writer = input.column(readCount, "plain");
  const ownerOf = readOwners(steps.firstRead, readCount);
  for (let i = 0; i < readCount; i++) {
    const distance = writer[i] ?? -1;
    if (distance >= 0) writer[i] = (ownerOf[i] ?? 0) - distance;
  }
  const valueRead = input.column(readCount, "plain");
  for (let i = 0; i < readCount; i++) {
    const stored = valueRead[i] ?? 0;
    valueRead[i] = stored === valueOfWriter ? (steps.value[writer[i] ?? 0] ?? 0) : stored - 1;
  }
  const reads: ReadColumns = {
    writer,
    value: valueRead,
    part: input.column(readCount, "plain"),
    role: input.column(readCount, "plain"),
  };
  const executions = Object.fromEntries(
    codings(executionCodings).map(([name, coding]) => [name, input.column(executionCount, coding)]),
  ) as ExecutionColumns;
  const activations = Object.fromEntries(
    codings(activationCodings).map(([name, coding]) => [name, input.column(activationCount, coding)]),
  ) as ActivationColumns;
  const effects = Object.fromEntries(
    codings(effectCodings).map(([name, coding]) => [name, input.column(effectCount, coding)]),
  ) as EffectColumns;
  const cellOwners = input.column(cells.length, "delta");
  return { ...tables, values, cells, steps, reads, executions, activations, effects, cellOwners, ownNames };
}

function codings<T extends Readonly<Record<string, Coding>>>(all: T): readonly (readonly [keyof T & string, Coding])[] {
  return Object.entries(all) as [keyof T & string, Coding][];
}

/** The step of each read. */
export function readOwners(firstRead: Int32Array, count: number): Int32Array {
  const owners = new Int32Array(count);
  for (let step = 0; step + 1 < firstRead.length; step++) owners.fill(step, firstRead[step], firstRead[step + 1]);
  return owners;
}

/** Writes numbers with the sign in the lowest bit, seven bits a byte. */
class ByteWriter {
  #bytes = new Uint8Array(1 << 16);
  #used = 0;

  column(column: Int32Array, coding: Coding): void {
    let before = 0;
    for (let i = 0; i < column.length; i++) {
      const value = column[i] ?? 0;
      this.#number(coding === "delta" ? value - before : coding === "index" ? i - value : value);
      before = value;
    }
  }

  texts(texts: readonly string[]): void {
    const encoded = new TextEncoder().encode(JSON.stringify(texts));
    this.#number(encoded.length);
    this.#reserve(encoded.length);
    this.#bytes.set(encoded, this.#used);
    this.#used += encoded.length;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  #number(value: number): void {
    this.#reserve(6);
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    while (rest >= 128) {
      this.#bytes[this.#used++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#used++] = rest;
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#used + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  texts(): readonly string[] {
    const length = this.#number();
    const text = new TextDecoder().decode(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return JSON.parse(text);
  }

  column(length: number, coding: Coding): Int32Array {
    const column = new Int32Array(length);
    let before = 0;
    for (let i = 0; i < length; i++) {
      const stored = this.#number();
      before = coding === "delta" ? before + stored : coding === "index" ? i - stored : stored;
      column[i] = before;
    }
    return column;
  }

  #number(): number {
    let value = 0;
    let scale = 1;
    let byte = this.#bytes[this.#at++] ?? 0;
    while (byte >= 128) {
      value += (byte - 128) * scale;
      scale *= 128;
      byte = this.#bytes[this.#at++] ?? 0;
    }
    value += byte * scale;
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }
}
