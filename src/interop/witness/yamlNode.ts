import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";

/** A part of a YAML file that knows its place. Asking it for what it is not is an error with that place. */
export type YamlNode = {
  readonly kind: "map" | "list" | "text";
  readonly range: SourceRange;
  field(name: string): YamlNode;
  /** Null where there is no such field or nothing in it. */
  optional(name: string): YamlNode | null;
  entries(): readonly (readonly [string, YamlNode])[];
  items(): readonly YamlNode[];
  /** As written, whatever YAML takes it for: `2.0` stays `2.0`. */
  text(): string;
  positive(): number;
};

/** `what` the file is, for messages. */
export function openYaml(text: string, file: string, what = "witness"): YamlNode {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: "failsafe" });
  const rangeOf = (from: number, to: number): SourceRange => {
    const [start, end] = [lines.linePos(from), lines.linePos(Math.max(from, to))];
    return { file, line: start.line, column: start.col, endLine: end.line, endColumn: end.col };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    throw new TracefoldError({
      code: "TF194",
      message: `this is not YAML: ${error.message}`,
      range: rangeOf(error.pos[0], error.pos[1]),
    });
  }
  const whole = rangeOf(0, text.trimEnd().length);
  if (document.contents === null) return emptyNode(whole, what);
  return wrap(document.contents);

  function wrap(given: Node): YamlNode {
    const node = isAlias(given) ? given.resolve(document) : given;
    if (node === undefined) return emptyNode(whole, what);
    const range = given.range ? rangeOf(given.range[0], given.range[1]) : whole;
    const kind = isMap(node) ? "map" : isSeq(node) ? "list" : "text";
    const self: YamlNode = {
      kind,
      range,
      field(name) {
        const found = self.optional(name);
        if (found === null) throw malformed(range, `the field ${name} is missing`, what);
        return found;
      },
      optional: (name) => self.entries().find(([key]) => key === name)?.[1] ?? null,
      entries() {
        if (!isMap(node)) throw malformed(range, "fields are expected here", what);
        return node.items.flatMap((pair) => {
          const value = (pair as Pair<Node, Node | null>).value;
          const key = (pair as Pair<Node, Node | null>).key;
          return value === null || !isScalar(key) || isEmpty(value) ? [] : [[`${key.value}`, wrap(value)] as const];
        });
      },
      items() {
        if (!isSeq(node)) throw malformed(range, "a list is expected here", what);
        return node.items.map((item) => wrap(item as Node));
      },
      text() {
        if (!isScalar(node)) throw malformed(range, "a text is expected here", what);
        return `${node.value}`;
      },
      positive() {
        const number = Number(self.text());
        if (!Number.isInteger(number) || number < 1)
          throw malformed(range, `${self.text()} is not a positive number`, what);
        return number;
      },
    };
    return self;
  }

  function isEmpty(node: Node): boolean {
    return isScalar(node) && (node.value === null || node.value === "") && node.type === "PLAIN";
  }
}

function emptyNode(range: SourceRange, what: string): YamlNode {
  const fail = (): never => {
    throw malformed(range, "there is nothing here", what);
  };
  return { kind: "text", range, field: fail, optional: fail, entries: fail, items: fail, text: fail, positive: fail };
}

export function malformed(range: SourceRange, message: string, what = "witness"): TracefoldError {
  return new TracefoldError({ code: "TF196", message: `malformed ${what}: ${message}`, range });
}
