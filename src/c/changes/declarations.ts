import type { TextEdit } from "../../changes/change.ts";
import { declaredName } from "../lower/findAddressTaken.ts";
import type { ChangeDraft } from "./draft.ts";
import { endOf, type FilePlaces, type FunctionPlaces, startOf } from "./sites.ts";
import { plus } from "./values.ts";

/** Other types, initial values, and constants that `#define` names. */
export function proposeDeclarations(draft: ChangeDraft, sites: FilePlaces): void {
  for (const group of [sites.globals, ...sites.functions]) {
    changeTypes(draft, group);
    initialise(draft, group);
  }
  for (const { definition } of sites.functions) widenResult(draft, definition);
  changeMacros(draft);
}

const wider: Readonly<Record<string, string>> = { int: "long long", long: "long long", short: "int", float: "double" };

function changeTypes(draft: ChangeDraft, { declarations, expressions }: FunctionPlaces): void {
  for (const { node } of declarations) {
    const { type, storage } = node.specifiers;
    if (type.kind !== "basic" || storage === "typedef") continue;
    const text = draft.text(type);
    const names = node.declarators.flatMap(({ declarator }) => declaredName(declarator) ?? []);
    const retype = (now: string, conversion: string) => [
      draft.replace(type, now),
      ...matchingFormats(draft, expressions, names, conversion),
    ];
    const { line } = node.range;
    const wide = wider[text];
    if (wide !== undefined) {
      draft.add("widerType", line, retype(wide, wide === "double" ? "lf" : wide === "int" ? "d" : "lld"));
    }
    if (/^(int|long|long long)$/.test(text)) draft.add("floatingType", line, retype("double", "lf"));
    if (/^(float|double)$/.test(text)) draft.add("integerType", line, retype("long long", "lld"));
  }
}

/** The conversions of the formats that print or read these variables. */
function matchingFormats(
  draft: ChangeDraft,
  expressions: FunctionPlaces["expressions"],
  names: readonly string[],
  conversion: string,
): readonly TextEdit[] {
  const { file } = draft.sites;
  return expressions.flatMap(({ node }) => {
    if (node.kind !== "call" || node.callee.kind !== "identifier" || !/^(printf|scanf)$/.test(node.callee.name))
      return [];
    const [format, ...given] = node.arguments;
    if (format?.kind !== "string") return [];
    const text = draft.text(format);
    const matches = [...text.matchAll(/%[-+0 #]*\d*(?:\.\d+)?(hh|h|ll|l|I64)?[diufeg]/g)];
    const all = [...text.matchAll(/%[^%]/g)].length;
    if (matches.length !== all) return [];
    return matches.flatMap((match, i) => {
      const argument = given[i];
      if (argument === undefined || !names.includes(draft.text(argument).replace(/^&/, "").replace(/\[.*$/, "")))
        return [];
      const start = startOf(file, format.range) + match.index;
      return [{ start, end: start + match[0].length, text: `%${conversion}` }];
    });
  });
}

/** `int x;` starts at 0, 1 or -1. */
function initialise(draft: ChangeDraft, { declarations }: FunctionPlaces): void {
  for (const { node } of declarations) {
    if (node.specifiers.storage === "typedef" || node.specifiers.storage === "extern") continue;
    for (const { declarator, initializer, range } of node.declarators) {
      if (initializer !== null) continue;
      const at = endOf(draft.sites.file, declarator.range);
      const values = declarator.kind === "name" ? ["0", "1", "-1"] : declarator.kind === "array" ? ["{0}"] : [];
      for (const value of values) {
        draft.add("initialValue", range.line, [{ start: at, end: at, text: ` = ${value}` }]);
      }
    }
  }
}

function widenResult(draft: ChangeDraft, definition: FunctionPlaces["definition"]): void {
  const { type } = definition.specifiers;
  const isMain = declaredName(definition.declarator) === "main";
  if (isMain || type.kind !== "basic" || draft.text(type) !== "int") return;
  draft.add("widerType", definition.range.line, [draft.replace(type, "long long")]);
}

const definition = /^[ \t]*#[ \t]*define[ \t]+\w+[ \t]+(.*)$/gm;

function changeMacros(draft: ChangeDraft): void {
  const { text } = draft.sites.file;
  for (const match of text.matchAll(definition)) {
    const body = match[1] ?? "";
    const from = match.index + match[0].length - body.length;
    const line = text.slice(0, match.index).split("\n").length;
    for (const number of body.matchAll(/(?<![\w.])\d[\w.]*/g)) {
      const start = from + number.index;
      const place = { start, end: start + number[0].length };
      for (const now of [1, -1, 10].map((delta) => plus(number[0], delta))) {
        draft.add("macroConstant", line, [{ ...place, text: now }]);
      }
      for (const factor of [2, 10, 100]) {
        draft.add("macroConstant", line, [{ ...place, text: `(${number[0]} * ${factor})` }]);
      }
    }
  }
}
