import { localDeclarations } from "./declarations.ts";
import { as, at, branching, pure } from "./expressions.ts";
import { int, intTypes, unsigned } from "./intTypes.ts";
import { type Builder, type Entity, type FunctionShape, freshName, inScope, topLevelName } from "./scope.ts";
import { indent, statements } from "./statements.ts";

export type Definition = { readonly prototype: string; readonly lines: readonly string[] };

/** A function that later ones may call; a recursive one has a budget as its first parameter. */
export function functionDefinition(b: Builder): Definition {
  const { choices } = b;
  const recursive = choices.chance(25);
  const makesStruct = !recursive && b.structs.length > 0 && choices.chance(25);
  const parameters: Entity[] = recursive ? [counter("budget")] : [];
  const count = choices.pick(4);
  for (let i = 0; i < count; i++) parameters.push(parameter(b));
  const shape: FunctionShape = {
    name: topLevelName(b, "f"),
    result: makesStruct ? choices.oneOf(b.structs) : choices.oneOf(intTypes),
    parameters,
    recursive,
  };
  const resultName = "tag" in shape.result ? `struct ${shape.result.tag}` : shape.result.name;
  const prototype = `${resultName} ${shape.name}(${parameters.map(parameterText).join(", ") || "void"})`;
  const body = inScope(b, () => {
    b.scopes.at(-1)!.push(...parameters);
    if (recursive) b.functions.push(shape);
    return functionBody(b, shape);
  });
  if (!recursive) b.functions.push(shape);
  return { prototype: `${prototype};`, lines: [`${prototype} {`, ...indent(body), "}"] };
}

function counter(name: string): Entity {
  return { kind: "scalar", name, type: int, frozen: true, plain: true, global: false };
}

function parameter(b: Builder): Entity {
  const { choices } = b;
  const name = freshName(b, "a");
  const kind = choices.pick(b.structs.length > 0 ? 8 : 6);
  if (kind === 5)
    return { kind: "pointer", name, type: choices.oneOf(intTypes), length: 1 + choices.pick(3), global: false };
  if (kind === 6) return { kind: "struct", name, type: choices.oneOf(b.structs), global: false };
  if (kind === 7) return { kind: "structPointer", name, type: choices.oneOf(b.structs), global: false };
  return {
    kind: "scalar",
    name,
    type: choices.oneOf(intTypes),
    frozen: false,
    plain: choices.chance(60),
    global: false,
  };
}

function parameterText(p: Entity): string {
  switch (p.kind) {
    case "scalar":
      return `${p.type.name} ${p.name}`;
    case "pointer":
      return `${p.type.name} *${p.name}`;
    case "struct":
      return `struct ${p.type.tag} ${p.name}`;
    case "structPointer":
      return `struct ${p.type.tag} *${p.name}`;
    default:
      throw new Error(`no parameters of kind ${p.kind}`);
  }
}

function functionBody(b: Builder, shape: FunctionShape): string[] {
  const stop = `++fuel > 400u${shape.recursive ? " || budget <= 0" : ""}`;
  if ("tag" in shape.result) {
    const result = { kind: "struct", name: "result", type: shape.result, global: false } as const;
    b.scopes.at(-1)!.push(result);
    const body = [
      ...localDeclarations(b, 2),
      ...statements(b, { depth: 2, loop: false, canBreak: false, leave: () => "return result;" }, 4),
    ];
    return [`struct ${shape.result.tag} result = {0};`, `if (${stop}) return result;`, ...body, "return result;"];
  }
  const leave = () => `return ${at(2, branching(b, 2))};`;
  const context = { depth: 2, loop: false, canBreak: false, leave };
  return [
    `if (${stop}) return ${b.choices.pick(5)};`,
    ...localDeclarations(b, 4),
    ...statements(b, context, 6),
    leave(),
  ];
}

/** `int (int, unsigned)` functions and the table `operations` that points to them; some are defined the K&R way. */
export function operationTable(b: Builder): string[] {
  const count = b.choices.pick(4);
  if (count === 0) return [];
  const names: string[] = [];
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const name = topLevelName(b, "o");
    names.push(name);
    const value = inScope(b, () => {
      b.scopes
        .at(-1)!
        .push(counter("x"), { kind: "scalar", name: "y", type: unsigned, frozen: true, plain: true, global: false });
      return at(2, as(int, pure(b, 3)));
    });
    const head = b.choices.chance(30)
      ? [`static int ${name}(x, y)`, "  int x;", "  unsigned y;", "{"]
      : [`static int ${name}(int x, unsigned y) {`];
    lines.push(...head, `  return ${value};`, "}");
  }
  b.operations = count;
  b.topLevel.push("operations");
  return [...lines, `static int (*operations[${count}])(int, unsigned) = {${names.join(", ")}};`];
}

export function globals(b: Builder): Entity[] {
  return b.scopes[0]!.filter((entity) => entity.kind !== "pointer" && entity.kind !== "structPointer");
}
