import { children, type Node, withoutTypes } from "../recorder/syntax.ts";

/** What a file offers as replacements; the most frequent first. */
export type Pool = {
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  /** Names of properties of an object, by the text of the object. */
  readonly propertiesOf: (object: string) => readonly string[];
  /** Properties that are read somewhere, but not called. */
  readonly properties: readonly string[];
  /** Functions that are called with one argument, and methods that are called with none. */
  readonly wrappers: readonly string[];
  readonly methods: readonly string[];
};

const longest = 40;

export function poolOf(program: Node, text: (node: Node) => string): Pool {
  const counts = {
    numbers: new Map<string, number>(),
    texts: new Map<string, number>(),
    properties: new Map<string, number>(),
    wrappers: new Map<string, number>(),
    methods: new Map<string, number>(),
  };
  const byObject = new Map<string, Map<string, number>>();
  const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  const visit = (node: Node, parent: Node | null): void => {
    if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return;
    if (node.type === "MemberExpression" && !node.computed && node.property.type === "Identifier") {
      const isCalled = parent?.type === "CallExpression" && parent.callee === node;
      const object = text(node.object);
      if (object.length < longest) {
        const own = byObject.get(object) ?? new Map<string, number>();
        byObject.set(object, own);
        count(own, node.property.name);
      }
      if (!isCalled) count(counts.properties, node.property.name);
      else if (parent.arguments.length === 0) count(counts.methods, node.property.name);
    }
    if (node.type === "CallExpression" && node.arguments.length === 1) {
      const callee = text(withoutTypes(node.callee));
      if (/^[\w$]+$|^(Math|Number|Object|Array|String)\.\w+$/.test(callee)) count(counts.wrappers, callee);
    }
    if (node.type === "Literal" && node.raw !== null && node.regex == null) {
      const isKey = parent?.type === "Property" && parent.key === node;
      if (/^[\d.]/.test(node.raw) && node.bigint == null) count(counts.numbers, node.raw);
      else if (/^['"]/.test(node.raw) && node.raw.length < longest && !isKey) count(counts.texts, node.raw);
    }
    for (const child of children(node)) visit(child, node);
  };
  visit(program, null);
  const ordered = (map: Map<string, number>) => [...map].sort((a, b) => b[1] - a[1]).map(([key]) => key);
  return {
    numbers: ordered(counts.numbers),
    texts: ordered(counts.texts),
    properties: ordered(counts.properties),
    wrappers: ordered(counts.wrappers),
    methods: ordered(counts.methods),
    propertiesOf: (object) => ordered(byObject.get(object) ?? new Map()),
  };
}
