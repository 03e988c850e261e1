import { nth } from "../../base/checked.ts";
import { type ErrorDetails, TracefoldError } from "../../base/errors.ts";
import { formatPlace, type SourceRange } from "../../base/sourceRange.ts";
import { printType, type Type } from "../../ir/type.ts";
import { findEntry } from "../library/table.ts";
import { inputError, type ProgramContext, type UnitContext } from "../lower/context.ts";
import { compatibleAcross } from "../types/layout.ts";
import type { FunctionEntity, StaticObject } from "./scope.ts";

type Entity = FunctionEntity | StaticObject;

/** Links external names across files (C11 6.2.2): one definition (6.9), compatible types (6.2.7). */
export function linkUnits(program: ProgramContext): void {
  for (const { fileScope } of program.units) {
    for (const [name, entity] of fileScope.names) {
      if ((entity.kind !== "function" && entity.kind !== "static") || entity.linkage === "internal") continue;
      program.externals.set(name, [...(program.externals.get(name) ?? []), entity]);
    }
  }
  for (const [name, entities] of program.externals) {
    const own = withoutLibrary(program, entities);
    program.externals.set(name, own);
    linkName(program, own);
  }
}

/** A program that does not include the header may use the name of a library function for something else. */
function withoutLibrary({ units }: ProgramContext, entities: Entity[]): Entity[] {
  const isLibrary = ({ file }: Entity) => nth(units, file).rules.library === true;
  const own = entities.filter((entity) => !isLibrary(entity));
  const isAnother = (entity: Entity) =>
    own.some(({ kind }) => kind !== entity.kind) || (hasBody(entity) && own.some(hasBody));
  return entities.filter((entity) => !isLibrary(entity) || !isAnother(entity));
}

/** Links a name declared in a function body, when the body is lowered. */
export function linkDeclared(unit: UnitContext, entity: Entity): void {
  if (entity.linkage === "internal") return;
  const known = unit.externals.get(entity.name) ?? [];
  if (known.includes(entity)) return;
  unit.externals.set(entity.name, [...known, entity]);
  const [first] = known;
  if (first === undefined) return;
  requireSameKind(first, entity);
  joinTo(unit, entity, first.linked);
}

/** The function that a call without a declaration means: any function with that name. */
export function undeclaredFunction(unit: UnitContext, name: string): FunctionEntity | null {
  const linked = unit.externals.get(name)?.[0]?.linked;
  return linked?.kind === "function" && linked.definition !== null ? linked : null;
}

function linkName(program: ProgramContext, entities: readonly Entity[]): void {
  const [first] = entities;
  for (const entity of entities) requireSameKind(first!, entity);
  const chosen = definitionOf(program, entities) ?? first!;
  for (const entity of entities) joinTo(program, entity, chosen);
  if (chosen.kind !== "static") return;
  for (const { fileScope, addressTaken } of program.units) {
    const own = fileScope.names.get(chosen.name);
    const isOther = own !== undefined && !(own.kind === "static" && own.linked === chosen);
    if (!isOther && addressTaken.names.has(chosen.name)) chosen.addressTaken = true;
  }
}

function requireSameKind(first: Entity, entity: Entity): void {
  if (first.kind === entity.kind) return;
  const what = ({ kind }: Entity) => (kind === "function" ? "a function" : "a variable");
  const message = `${entity.name} is ${what(entity)} here, but ${what(first)} at ${formatPlace(first.range)}`;
  inputError("TF180", message, entity.range);
}

function joinTo(program: ProgramContext, entity: Entity, chosen: Entity): void {
  // A file that has its own body uses it, unless the program has another definition.
  if (entity === chosen || (entity.kind === "function" && entity.definition !== null && !hasBody(chosen))) return;
  requireSameType(program, entity, chosen);
  if (entity.kind === "function" && chosen.kind === "function") entity.linked = chosen;
  if (entity.kind === "static" && chosen.kind === "static") entity.linked = chosen;
}

function hasBody(entity: Entity): boolean {
  return entity.kind === "function" && entity.definition !== null;
}

/** Names that no file defines are not checked: a library function may be declared in several ways. */
function requireSameType({ units }: ProgramContext, entity: Entity, chosen: Entity): void {
  if (nth(units, chosen.file).rules.library || (chosen.kind === "function" && chosen.definition === null)) return;
  if (compatibleAcross(entity.type, chosen.type)) return;
  declaredOtherwise(entity.name, [entity.type, entity.range], [chosen.type, chosen.range]);
}

/** The definition that counts for every file. */
function definitionOf(program: ProgramContext, entities: readonly Entity[]): Entity | null {
  const { units } = program;
  const definitions = entities.filter((entity) =>
    entity.kind === "function" ? entity.definition !== null && entity.exported : entity.defined,
  );
  const strong = definitions.filter((entity) => !isWeak(entity) && !nth(units, entity.file).rules.library);
  const [first, second] = strong.filter((entity) => !isCommon(program, entity));
  if (first !== undefined && second !== undefined)
    return definedTwice(first.name, second.range, first.range, help(first));
  return first ?? strong[0] ?? definitions[0] ?? null;
}

function help(entity: Entity): string {
  if (entity.name === "main") return "A program has one main: give the files of one program only.";
  if (entity.kind === "static") return "Declare it extern in all files but one, or static in each file.";
  return "Make it static in files that need their own.";
}

/** `int x;` under `-fcommon`. */
function isCommon({ units }: ProgramContext, entity: Entity): boolean {
  return entity.kind === "static" && entity.initializer === null && nth(units, entity.file).rules.common === true;
}

function isWeak(entity: Entity): boolean {
  const specifiers = entity.kind === "function" ? entity.definition?.specifiers : entity.specifiers;
  return specifiers?.attributes.some((attribute) => attribute.name === "weak") ?? false;
}

/** The range is the later place; the message names the other one. */

export function definedTwice(name: string, range: SourceRange, other: SourceRange, help?: string): never {
  return inputError("TF152", `${name} is defined twice: here and at ${formatPlace(other)}`, range, help);
}

type Declared = readonly [type: Type, range: SourceRange];

export function declaredOtherwise(name: string, [type, range]: Declared, [otherType, otherRange]: Declared): never {
  const [own, other] = [printType(type, name), printType(otherType, name)];
  const place = formatPlace(otherRange);
  const message =
    own === other
      ? `${own} is declared at ${place} too, but with a different definition of its type`
      : `${name} is declared as ${own} here, but as ${other} at ${place}`;
  return inputError("TF183", message, range);
}

/** A name that is used but not defined, with the place of its first use. */
export type MissingDefinition = {
  readonly kind: "function" | "variable";
  readonly name: string;
  readonly range: SourceRange;
};

const mostListed = 8;

/** Reports the first as the error and lists the others, like a linker. */
export function refuseMissing(missing: readonly MissingDefinition[]): void {
  const byName = new Map<string, MissingDefinition>();
  for (const each of missing) if (!byName.has(each.name)) byName.set(each.name, each);
  const [first, ...others] = byName.values();
  if (first === undefined) return;
  if (first.kind === "function" && findEntry(first.name)?.kind === "unsupported") {
    throw new TracefoldError({ ...unknownLibraryFunction(first.name), range: first.range });
  }
  const lack = first.kind === "function" ? "no file defines it" : "no file defines it";
  const listed = others.slice(0, mostListed).map(({ name, range }) => `${name} (${formatPlace(range)})`);
  if (others.length > mostListed) listed.push(`and ${others.length - mostListed} more`);
  const too = listed.length === 0 ? "" : ` The same is true of ${listed.join(", ")}.`;
  const result = first.kind === "function" ? "results of undefined functions" : "undefined variables";
  const help = `Add the file that defines it, or take ${result} as inputs with --undefined input.${too}`;
  inputError("TF184", `undefined ${first.kind} ${first.name}: ${lack}`, first.range, help);
}

export function unknownLibraryFunction(name: string): ErrorDetails {
  return {
    code: "TF243",
    message: `the library function ${name} is not supported`,
    help: "Define it in the program, or take its result as an input with --undefined input.",
  };
}
