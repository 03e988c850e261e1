import { nth } from "../../base/checked.ts";
import { findEntry } from "../../c/library/table.ts";
import { objectIdOf } from "../../interpreter/memory/pointer.ts";
import type { CallLibrary } from "../../ir/operation.ts";
import { isScalar } from "../../ir/type.ts";
import { call, constant, type EntryExpr, element, free, fresh, someExpr } from "../expr.ts";
import { evaluateC } from "./evaluate.ts";
import { type CFrame, freshOpaque, rememberEntry } from "./frame.ts";
import { describeCall } from "./summary.ts";
import type { CValue } from "./value.ts";

/** Bytes that a library call wrote. */
export type LibraryWrite = { readonly pointer: number; readonly size: number };

/** Headers whose functions say all that they do by what they return and write. */
const context = new Set(["string.h", "ctype.h", "math.h", "stdlib.h", "tgmath.h"]);
/** They change what later calls return. */
const stateful = new Set(["srand", "rand", "setenv", "unsetenv", "putenv", "atexit"]);

/** A call of the C library: what it returned is known when it is back, what it wrote is known from the run. */
export function followLibraryCall(frame: CFrame, operation: CallLibrary, writes: readonly LibraryWrite[]): void {
  const { name, target } = operation;
  const args = operation.arguments.map((one) => evaluateC(frame, one));
  const entry = findEntry(name);
  const isKnown = entry !== null && entry.kind === "operation" ? entry : null;
  const readsOnly = isKnown?.memory.every(({ kind }) => kind === "reads") ?? false;
  const isPure =
    readsOnly &&
    isKnown!.allocates === null &&
    isKnown!.source === "determined" &&
    writes.length === 0 &&
    context.has(isKnown!.header ?? "") &&
    !stateful.has(name);
  const says = isPure || (context.has(isKnown?.header ?? "") && !stateful.has(name) && !frees(name));
  if (!says) frame.delegated.push(describeCall(name, args));
  const before = frame.cells.hasWrittenMemory();
  for (const write of writes) frame.cells.disturb({ ...write, term: writtenPlace(frame, write, args) });
  if (target === null) return;
  frame.pending = (resumed) => {
    const { program, state } = resumed.world;
    const { type } = nth(program.variables, target);
    const raw = state.register(target);
    if (!isScalar(type)) return;
    let term: EntryExpr;
    if (isKnown?.allocates != null && typeof raw === "number") term = allocated(resumed, raw, name);
    else if (isPure && !before && args.every((one) => isReadable(one.term))) {
      term = call(
        name,
        null,
        args.map((one) => one.term),
      );
      rememberEntry(resumed, term, raw, type, null);
    } else term = freshOpaque(resumed, `${name}(...)`);
    resumed.registers.set(target, { raw, term, scale: null });
  };
}

function frees(name: string): boolean {
  return name === "free" || name === "realloc";
}

export const isReadable = (expr: EntryExpr): boolean =>
  !someExpr(expr, (one) => one.kind === "opaque" || one.kind === "new" || one.kind === "loop");

function allocated(frame: CFrame, raw: number, name: string): EntryExpr {
  if (raw === 0) return constant(null);
  frame.cells.markFresh(raw);
  const term = fresh(frame.fresh++, `block from ${name}`, "");
  frame.blocks.set(raw, term);
  return term;
}

/** The argument that points into the object that was written; else the object's own name. */
function writtenPlace(frame: CFrame, { pointer }: LibraryWrite, args: readonly CValue[]): EntryExpr {
  const object = objectIdOf(pointer);
  const given = args.find(({ raw }) => typeof raw === "number" && raw !== 0 && objectIdOf(raw) === object);
  if (given !== undefined && given.term.kind !== "opaque") {
    const { term } = given;
    const isAddress = term.kind === "unary" && term.operator === "&";
    if (!isAddress) return element(term, constant("*"));
    return term.operand.kind === "element" ? element(term.operand.base, constant("*")) : term.operand;
  }
  const described = frame.world.state.object(pointer);
  return described === null ? freshOpaque(frame, "memory") : free(described.name);
}
