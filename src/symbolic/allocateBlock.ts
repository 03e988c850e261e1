import type { Term } from "../logic/term.ts";
import { blockElement } from "./blockElement.ts";
import { placed } from "./copyMemory.ts";
import type { LibraryCall } from "./libraryCall.ts";
import { readString } from "./readString.ts";
import type { Scope } from "./scope.ts";
import { clobberMemory, readRegion, type SymbolicState, writeAll } from "./symbolicState.ts";
import type { SymbolicObject } from "./symbols.ts";
import { writeBytes } from "./writeBytes.ts";

export type Allocated = { readonly state: SymbolicState; readonly pointer: Term };

/** A new block; `size` null: a copy of the string that is the first argument. */
export function allocateBlock(
  scope: Scope,
  call: LibraryCall,
  size: Term | null,
  kind: "heap" | "stack" | "zeroed",
): Allocated {
  const { terms } = scope.symbols;
  const recorded = call.surroundings.libraryCall();
  // Requests that no machine could meet give null.
  const met = size === null || kind === "stack" ? terms.bool(true) : terms.lt(size, terms.int(requestLimit(scope)));
  if (recorded !== null && recorded.result === 0) {
    scope.guard(terms.not(met));
    return { state: scope.state, pointer: terms.int(0n) };
  }
  const object = newBlock(scope, call, size);
  if (recorded !== null) scope.guard(met);
  const pointer = recorded !== null ? object.base : terms.ite(met, object.base, terms.int(0n));
  if (size === null) return { state: copyString(scope, call, object), pointer };
  const filled = kind === "zeroed" ? zeroBlock(scope, object) : scope.state;
  return { state: withSize(scope, filled, object, size), pointer };
}

/** The bytes of the old block, up to the smaller size, are in the new one. */
export function reallocateBlock(scope: Scope, call: LibraryCall, old: Term, size: Term): Allocated {
  const { symbols } = scope;
  const { terms } = symbols;
  if (old.kind === "int" && old.value === 0n) return allocateBlock(scope, call, size, "heap");
  const recorded = call.surroundings.libraryCall();
  const isNull = terms.eq(old, terms.int(0n));
  const frees = terms.and(terms.eq(size, terms.int(0n)), terms.not(isNull));
  const met = terms.lt(size, terms.int(requestLimit(scope)));
  const given = terms.and(met, terms.not(frees));
  if (recorded !== null && recorded.result === 0) {
    scope.guard(terms.not(given));
    return { state: scope.state, pointer: terms.int(0n) };
  }
  const object = newBlock(scope, call, size);
  if (recorded !== null) scope.guard(given);
  const pointer = recorded !== null ? object.base : terms.ite(given, object.base, terms.int(0n));
  const source = placed(scope, old);
  if (source === null || source.object.regions === null || source.object.origin.kind !== "heap") {
    scope.note("what realloc keeps");
    return { state: scope.state, pointer };
  }
  symbols.shapeBlock(object, source.object.regions);
  const sources = source.object.regions;
  const writes = (object.regions ?? []).flatMap((region) => {
    const same = sources.find(
      ({ path, offset, stride }) => path === region.path && offset === region.offset && stride === region.stride,
    );
    if (same === undefined || same.type !== region.type) return [];
    return [[symbols.region(object, region), readRegion(symbols, scope.state, source.object, same)] as const];
  });
  return { state: withSize(scope, writeAll(scope.state, writes), object, size), pointer };
}

/** The size that was asked for is a value of the state: what it was computed from may be why there is too little room. */
function withSize(scope: Scope, state: SymbolicState, object: SymbolicObject, size: Term): SymbolicState {
  return writeAll(state, [[scope.symbols.blockSize(object), size]]);
}

/** glibc refuses what is larger than an address space. */
function requestLimit(scope: Scope): bigint {
  return scope.symbols.program.pointerBytes === 8 ? 1n << 47n : 1n << 31n;
}

function newBlock(scope: Scope, call: LibraryCall, size: Term | null): SymbolicObject {
  const bytes = size?.kind === "int" ? Number(size.value) : null;
  const object = call.surroundings.allocate(bytes);
  const { target } = call.operation;
  const element = target === null ? null : blockElement(scope.symbols.program, target);
  if (element !== null) scope.symbols.typeBlock(object, element);
  return object;
}

function zeroBlock(scope: Scope, object: SymbolicObject): SymbolicState {
  const condition = scope.symbols.terms.bool(true);
  return clobberMemory(scope.symbols, scope.state, { condition, tag: scope.tag(), object, zero: true });
}

function copyString(scope: Scope, call: LibraryCall, object: SymbolicObject): SymbolicState {
  const string = readString(scope, call.arguments[0]!);
  const whole = call.operation.name === "strdup" && object.regions !== null;
  if (string !== null && whole) {
    return writeBytes(scope, object, 0, { length: string.length + 1, at: (i) => string[i] ?? 0 });
  }
  scope.note(`what ${call.operation.name} copies`);
  return scope.state;
}
