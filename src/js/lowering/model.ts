import { nth, present } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { ProgramVariable } from "../../ir/program.ts";
import { keyName } from "../recorder/functionShape.ts";
import type { Binding } from "../recorder/scopes.ts";
import { children, isFunction, type Node, withoutTypes } from "../recorder/syntax.ts";
import { type Concrete, unknownValue } from "../recorder/valueRules.ts";
import {
  doubleType,
  type Encoding,
  firstArray,
  firstObject,
  type Repr,
  reprOf,
  type Tag,
  tagOf,
} from "../replay/encoding.ts";
import { type ReplayEvidence, tagsOf } from "../replay/evidence.ts";
import { globalsOf } from "../replay/globals.ts";
import {
  collectionEntries,
  collectionOf,
  initialFields,
  literalParts,
  memberName,
  methodName,
} from "../replay/makers.ts";
import type { RecordedFile } from "../replay/recordedFile.ts";
import type { ClassOfFile, LoweringChoices, ModelContext, Table } from "./context.ts";
import { addVariable, typeOf } from "./variables.ts";

const nowhere: SourceRange = { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };
/** Cells of all arrays together at most; what is above is taken from the log. */
const mostCells = 250_000;

/** The parts of a program that all of its functions share. */
export function newModel(
  files: readonly RecordedFile[],
  evidence: ReplayEvidence,
  encoding: Encoding,
  { demoted, difference }: LoweringChoices,
): ModelContext {
  const variables: ProgramVariable[] = [];
  const globals = globalsOf(files);
  const fields = fieldTags(files, evidence);
  const shape = { kind: "static", storage: "register", function: null, range: nowhere } as const;
  const register = (name: string, repr: Repr): ProgramVariable =>
    addVariable({ variables }, { name, type: typeOf({ encoding }, repr), ...shape });
  const hidden = (name: string, repr: Repr): ProgramVariable =>
    addVariable({ variables }, { name, madeUp: true, type: typeOf({ encoding }, repr), ...shape });
  const numbering = { ...shape, madeUp: true, numbers: true, type: typeOf({ encoding }, "int") } as const;
  const captured = capturedBindings(files);
  const model: ModelContext = {
    evidence,
    encoding,
    globals,
    variables,
    functions: new Map(),
    tables: newTables(variables, encoding, evidence, fields),
    demoted,
    shared: new Map(),
    outerSelf: new Map(),
    captured,
    sharedReprs: sharedReprs(files, evidence, globals.origin),
    fieldNames: new Set([...fields.names].filter((name) => !/^(\[\]|\[\]\.length|\{\})$/.test(name))),
    emptyFields: fields.empty,
    nodeOf: new Map(),
    inputs: [],
    counters: {
      objects: addVariable({ variables }, { ...numbering, name: "$objects" }),
      arrays: addVariable({ variables }, { ...numbering, name: "$arrays" }),
    },
    initial: { object: 0, array: 0 },
    exception: { thrown: hidden("$thrown", "bool"), error: hidden("$error", "any") },
    notes: new Map(),
    classOf: classFinder(files),
    failing: evidence.failure?.node ?? null,
    difference,
  };
  for (const node of functionsWithArrows(files)) model.outerSelf.set(node, register("this", "any"));
  return model;
}

type FieldTags = {
  of(name: string): ReadonlySet<Tag>;
  readonly names: ReadonlySet<string>;
  readonly empty: ReadonlySet<string>;
};

/** The kinds of values of each field; `[]` for array elements. */
function fieldTags(files: readonly RecordedFile[], evidence: ReplayEvidence): FieldTags {
  const found = new Map<string, Set<Tag>>();
  const empty = new Set<string>();
  const add = (name: string | null, tags: Iterable<Tag>): void => {
    if (name === null) return;
    const known = found.get(name) ?? new Set();
    found.set(name, known);
    for (const tag of tags) known.add(tag);
  };
  const nameOf = (member: Node): string | null => (member.computed ? "[]" : memberName(member));
  for (const [node, values] of evidence.values) {
    const tags = tagsOf(values);
    const target =
      node.type === "AssignmentExpression" || node.type === "UpdateExpression"
        ? withoutTypes(node.left ?? present(node.argument))
        : null;
    if (node.type === "MemberExpression") {
      if (node.computed) addKeys(evidence, node, values, add, empty);
      add(nameOf(node), node.computed ? [...tags].filter((tag) => tag !== "undefined") : tags);
      if (!node.computed && tags.has("undefined")) empty.add(memberName(node)!);
    } else if (target?.type === "MemberExpression") {
      if (target.computed) addKeys(evidence, target, values, add, empty);
      add(nameOf(target), tags);
    } else if (node.type === "ObjectExpression" || node.type === "ArrayExpression") addParts(evidence, node, add);
    else if (node.type === "CallExpression" && methodName(node) === "push")
      for (const argument of node.arguments) add("[]", tagsOf(evidence.values.get(argument)));
    else if (node.type === "CallExpression" && methodName(node) === "set" && node.arguments.length === 2)
      add("{}", tagsOf(evidence.values.get(nth(node.arguments, 1))));
    else if (node.type === "NewExpression" && collectionOf(node) !== null)
      for (const entry of collectionEntries(node) ?? [])
        if (entry.value !== null) add("{}", tagsOf(evidence.values.get(entry.value)));
  }
  add("[]", tagsOf([...evidence.keys]));
  for (const plan of evidence.plans.values())
    if (plan.kind === "each" && plan.function !== null) add("[]", tagsOf(evidence.results.get(plan.function)));
  for (const { program } of files) visitInitializers(program, add);
  return { of: (name) => found.get(name) ?? new Set(), names: new Set(found.keys()), empty };
}

/** `object[key]` with strings for keys is a field of that name each time. */
function addKeys(
  evidence: ReplayEvidence,
  member: Node,
  values: readonly Concrete[],
  add: (name: string, tags: Iterable<Tag>) => void,
  empty: Set<string>,
): void {
  evidence.values.get(member.property)?.forEach((key, i) => {
    const value = values[i];
    if (typeof key !== "string" || value === unknownValue || i >= values.length) return;
    add(key, [tagOf(value)]);
    if (value === undefined) empty.add(key);
  });
}

function addParts(
  evidence: ReplayEvidence,
  literal: Node,
  add: (name: string | null, tags: Iterable<Tag>) => void,
): void {
  if (literal.type === "ArrayExpression") {
    for (const element of literal.elements) if (element !== null) add("[]", tagsOf(evidence.values.get(element)));
    return;
  }
  for (const property of literal.properties) {
    if (property.type === "Property" && !property.computed)
      add(keyName(property), tagsOf(evidence.values.get(property.value)));
  }
}

/** Initial values of class fields, parameter properties and top-level literals, which are not in the log. */
function visitInitializers(program: Node, add: (name: string | null, tags: Iterable<Tag>) => void): void {
  const tagsOfLiteral = (given: Node): readonly Tag[] => {
    const node = withoutTypes(given);
    if (node.type === "Literal") {
      const value = node.value as unknown;
      if (typeof value === "number") return [Number.isInteger(value) ? "int" : "double"];
      return typeof value === "boolean" ? ["bool"] : typeof value === "string" ? ["string"] : ["null"];
    }
    if (node.type === "UnaryExpression" && node.operator === "-") return tagsOfLiteral(present(node.argument));
    if (node.type === "ArrayExpression" || node.type === "ObjectExpression") {
      for (const [key, part] of literalParts(node)) add(typeof key === "number" ? "[]" : key, tagsOfLiteral(part));
      return ["object"];
    }
    if (collectionOf(node) !== null) {
      for (const [, part] of literalParts(node)) add("{}", tagsOfLiteral(part));
      return ["object"];
    }
    return [];
  };
  const visit = (node: Node): void => {
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression")
      for (const [name, value] of initialFields(node)) add(name, tagsOfLiteral(value));
    children(node).forEach(visit);
  };
  visit(program);
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { init } of declaration.declarations) if (init !== null) tagsOfLiteral(init);
  }
}

function newTables(
  variables: ProgramVariable[],
  encoding: Encoding,
  evidence: ReplayEvidence,
  fields: FieldTags,
): ModelContext["tables"] {
  const made = new Map<string, Table>();
  const memory = (
    name: string,
    type: ReturnType<typeof typeOf>,
    length: number,
    rows: ProgramVariable["rows"],
  ): ProgramVariable =>
    addVariable(
      { variables },
      {
        name,
        madeUp: true,
        ...(rows === undefined ? {} : { rows }),
        type: { kind: "array", element: type, length },
        kind: "static",
        storage: "memory",
        function: null,
        range: nowhere,
      },
    );
  const table = (name: string, tags: ReadonlySet<Tag>, length: number, rows?: ProgramVariable["rows"]): Table => {
    const all = reprOf(tags);
    // Numbers with fractions have a table of their own beside one for everything else.
    const repr = all === "double" ? "any" : all;
    const exact = tags.has("double") ? memory(`$${name}.exact`, doubleType, length, rows) : null;
    return { repr, memory: memory(`$${name}`, typeOf({ encoding }, repr), length, rows), exact };
  };
  // Runs that differ from the recorded one may make some more.
  const objects = encoding.objects * 2 + 32;
  const arrays = encoding.arrays * 2 + 16;
  const capacity = Math.max(4, Math.min(evidence.longestArray + 4, Math.floor(mostCells / arrays)));
  const cells = arrays * encoding.slots.count;
  return {
    field(name) {
      let known = made.get(name);
      if (known === undefined) {
        known =
          name === "[].length"
            ? table(name, new Set<Tag>(["int"]), arrays, { first: firstArray, width: 1, member: "length" })
            : table(name, fields.of(name), objects, { first: firstObject, width: 1, member: name });
        made.set(name, known);
      }
      return known;
    },
    known: (name) => made.get(name) ?? null,
    elements: table("[]", fields.of("[]"), arrays * capacity, { first: firstArray, width: capacity, member: null }),
    entries:
      evidence.keys.size === 0 || cells > mostCells
        ? null
        : {
            present: table("{}.has", new Set<Tag>(["bool"]), cells),
            values: table("{}", fields.of("{}"), cells),
          },
    capacity,
  };
}

/** Variables that a function inside of their own uses. */
function capturedBindings(files: readonly RecordedFile[]): ReadonlySet<Binding> {
  const captured = new Set<Binding>();
  for (const { program, table } of files) {
    const visit = (node: Node, owner: Node | null): void => {
      const binding = table.bindingOf.get(node);
      if (binding != null && binding.owner !== null && binding.owner !== owner) captured.add(binding);
      const inner = isFunction(node) ? node : owner;
      for (const child of children(node)) visit(child, inner);
    };
    visit(program, null);
  }
  return captured;
}

/** How variables are held that several functions see: whatever any of them saw. */
function sharedReprs(
  files: readonly RecordedFile[],
  evidence: ReplayEvidence,
  origin: (binding: Binding) => Binding,
): ReadonlyMap<Binding, Repr> {
  const tags = new Map<Binding, Set<Tag>>();
  const add = (binding: Binding, more: Iterable<Tag>): void => {
    const known = tags.get(origin(binding)) ?? new Set();
    tags.set(origin(binding), known);
    for (const tag of more) known.add(tag);
  };
  for (const { table } of files)
    for (const [node, binding] of table.bindingOf)
      if (binding !== null) add(binding, tagsOf(evidence.values.get(node)));
  for (const [binding, more] of evidence.assigned) add(binding, more);
  return new Map([...tags].map(([binding, each]) => [binding, reprOf(each)]));
}

function classFinder(files: readonly RecordedFile[]): (name: string) => ClassOfFile | null {
  const found = new Map<string, ClassOfFile | null>();
  for (const file of files) {
    const visit = (node: Node): void => {
      if ((node.type === "ClassDeclaration" || node.type === "ClassExpression") && node.id !== null)
        found.set(node.id.name, found.has(node.id.name) ? null : { node, file });
      children(node).forEach(visit);
    };
    visit(file.program);
  }
  return (name) => found.get(name) ?? null;
}

/** Functions in which an arrow function says `this`. */
function functionsWithArrows(files: readonly RecordedFile[]): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (const { program } of files) {
    const visit = (node: Node, owner: Node | null, inArrow: boolean): void => {
      if (node.type === "ThisExpression" && inArrow && owner !== null) found.add(owner);
      const isArrow = node.type === "ArrowFunctionExpression";
      const inner = isFunction(node) && !isArrow ? node : owner;
      for (const child of children(node)) visit(child, inner, isArrow || (inArrow && inner === owner));
    };
    visit(program, null, false);
  }
  return found;
}
