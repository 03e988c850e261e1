import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import type { Allocation } from "../../c/library/entry.ts";
import { requestLimit } from "../../c/library/stdlib/allocation.ts";
import { expressionsWithin } from "../../ir/operation.ts";
import type { Program, VariableId } from "../../ir/program.ts";
import type { Type } from "../../ir/type.ts";
import type { Term } from "../../logic/term.ts";
import { argumentFor, isNull, type LibraryCall, readString } from "../library/libraryCall.ts";
import type { TranslationScope } from "../stepEnvironment.ts";
import { clobberMemory, readRegion, type SymbolicState, writeAll } from "../symbolicState.ts";
import type { SymbolicObject } from "../symbols.ts";
import { placed, writeBytes } from "./copyMemory.ts";

/** `failed`: the request was not met, and the pointer is null for that reason. */
export type Allocated = { readonly state: SymbolicState; readonly pointer: Term; readonly failed: Term };

/** The block that a call gives the program. */
export function allocateBlock(scope: TranslationScope, call: LibraryCall, allocation: Allocation): Allocated {
  const { terms } = scope.symbols;
  const { size } = allocation;
  if (size.kind === "copyOf") {
    const object = newBlock(scope, call, null);
    return { state: copyString(scope, call, size, object), pointer: object.base, failed: terms.bool(false) };
  }
  const bytes = size.factors
    .map((factor) => argumentFor(call, factor))
    .reduce((product, factor) => terms.mul(product, factor));
  const old = allocation.replaces === null ? null : argumentFor(call, allocation.replaces);
  return old === null || isNull(old)
    ? newAllocation(scope, call, allocation, bytes)
    : reallocateBlock(scope, call, old, bytes);
}

function newAllocation(
  scope: TranslationScope,
  call: LibraryCall,
  { life, zeroed }: Allocation,
  size: Term,
): Allocated {
  const { terms } = scope.symbols;
  const recorded = call.environment.libraryCall();
  const met = life === "stack" ? terms.bool(true) : isMet(scope, size);
  if (recorded !== null && recorded.result === 0) {
    scope.guard(terms.not(met));
    return { state: scope.state, pointer: terms.int(0n), failed: terms.bool(true) };
  }
  const object = newBlock(scope, call, size);
  const filled = zeroed ? zeroBlock(scope, object) : scope.state;
  return { state: withSize(scope, filled, object, size), ...givenIf(scope, call, object, met, terms.not(met)) };
}

/** In a followed run the request was met; else only if the condition holds. */
function givenIf(
  scope: TranslationScope,
  call: LibraryCall,
  object: SymbolicObject,
  given: Term,
  failed: Term,
): { readonly pointer: Term; readonly failed: Term } {
  const { terms } = scope.symbols;
  if (call.environment.libraryCall() === null) return { pointer: terms.ite(given, object.base, terms.int(0n)), failed };
  scope.guard(given);
  return { pointer: object.base, failed: terms.bool(false) };
}

/** The bytes of the old block, up to the smaller size, are in the new one. */
function reallocateBlock(scope: TranslationScope, call: LibraryCall, old: Term, size: Term): Allocated {
  const { symbols } = scope;
  const { terms } = symbols;
  const recorded = call.environment.libraryCall();
  const met = isMet(scope, size);
  const frees = terms.and(terms.eq(size, terms.int(0n)), terms.ne(old, terms.int(0n)));
  const given = terms.and(met, terms.not(frees));
  if (recorded !== null && recorded.result === 0) {
    scope.guard(terms.not(given));
    return { state: scope.state, pointer: terms.int(0n), failed: terms.not(met) };
  }
  const object = newBlock(scope, call, size);
  const result = givenIf(scope, call, object, given, terms.not(met));
  const source = placed(scope, old);
  if (source === null || source.object.regions === null || source.object.origin.kind !== "heap") {
    scope.note(`what ${call.operation.name} keeps`);
    return { state: scope.state, ...result };
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
  return { state: withSize(scope, writeAll(scope.state, writes), object, size), ...result };
}

/** The size that was asked for is a value of the state: what it was computed from may be why there is too little room. */
function withSize(scope: TranslationScope, state: SymbolicState, object: SymbolicObject, size: Term): SymbolicState {
  return writeAll(state, [[scope.symbols.blockSize(object), size]]);
}

/** glibc refuses what is larger than an address space. */
function isMet(scope: TranslationScope, size: Term): Term {
  const { terms, program } = scope.symbols;
  return terms.lt(size, terms.int(BigInt(requestLimit(program.pointerBytes))));
}

function newBlock(scope: TranslationScope, call: LibraryCall, size: Term | null): SymbolicObject {
  const bytes = size?.kind === "int" ? Number(size.value) : null;
  const object = call.environment.allocate(bytes);
  const { target } = call.operation;
  const element = target === null ? null : blockElement(scope.symbols.program, target);
  if (element !== null) scope.symbols.typeBlock(object, element);
  return object;
}

function zeroBlock(scope: TranslationScope, object: SymbolicObject): SymbolicState {
  const condition = scope.symbols.terms.bool(true);
  return clobberMemory(scope.symbols, scope.state, { condition, tag: scope.tag(), object, zero: true });
}

function copyString(
  scope: TranslationScope,
  call: LibraryCall,
  { string: at, atMost }: Allocation["size"] & { kind: "copyOf" },
  object: SymbolicObject,
): SymbolicState {
  const string = readString(scope, argumentFor(call, at));
  if (string !== null && atMost === null && object.regions !== null) {
    return writeBytes(scope, object, 0, { length: string.length + 1, at: (i) => string[i] ?? 0 });
  }
  scope.note(`what ${call.operation.name} copies`);
  return scope.state;
}

const cache = new WeakMap<Program, Map<VariableId, Type | null>>();

/** The element type of a block whose address a call stores in the variable, from its first conversion; null if none. */
export function blockElement(program: Program, target: VariableId): Type | null {
  const known = remembered(cache, program, () => new Map());
  return remembered(known, target, () => findElement(program, target));
}

function findElement(program: Program, target: VariableId): Type | null {
  const { type, function: owner } = nth(program.variables, target);
  if (type.kind === "pointer" && isElement(type.to)) return type.to;
  if (owner === null) return null;
  for (const { operation } of nth(program.functions, owner).edges) {
    for (const expression of expressionsWithin(operation)) {
      if (expression.kind !== "convert" || expression.type.kind !== "pointer") continue;
      const { operand } = expression;
      const isTarget = operand.kind === "variable" && operand.variable === target;
      if (isTarget && isElement(expression.type.to)) return expression.type.to;
    }
  }
  return null;
}

function isElement(type: Type): boolean {
  return type.kind !== "void" && type.kind !== "function";
}
