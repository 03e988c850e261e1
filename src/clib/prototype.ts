import { Defect } from "../base/errors.ts";

/** A declaration of C taken apart: `char *strchr(const char *string, int character)`. */
export type Prototype = {
  readonly name: string;
  /** Types as written. */
  readonly result: string;
  readonly parameters: readonly Parameter[];
  readonly variadic: boolean;
};

export type Parameter = { readonly name: string; readonly type: string };

/** Every parameter has a name; none is a function or an array. */
export function parsePrototype(text: string): Prototype {
  const match = /^(.*?[ *])([\w$]+)\((.*)\)$/.exec(text);
  if (match === null) throw new Defect(`not a prototype: ${text}`);
  const [, result, name, list] = match as unknown as [string, string, string, string];
  const parts = list === "void" ? [] : list.split(",").map((part) => part.trim());
  const named = parts.filter((part) => part !== "...");
  return {
    name,
    result: result.trim(),
    parameters: named.map(parseParameter),
    variadic: named.length < parts.length,
  };
}

function parseParameter(text: string): Parameter {
  const match = /^(.*[ *])(\w+)$/.exec(text);
  if (match === null) throw new Defect(`a parameter without a name: ${text}`);
  return { type: match[1]!.trim(), name: match[2]! };
}

/** As a header declares it: without the parameters' names, which a program may have made macros. */
export function printPrototype({ name, result, parameters, variadic }: Prototype): string {
  const types = [...parameters.map(({ type }) => type), ...(variadic ? ["..."] : [])];
  const space = result.endsWith("*") ? "" : " ";
  return `${result}${space}${name}(${types.length === 0 ? "void" : types.join(", ")});`;
}
