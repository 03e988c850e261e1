import { assertNever } from "../base/assertNever.ts";
import type { Type } from "./type.ts";

/** In C syntax, with the declared name in its place: `int *a[3]`, `void (*f)(int)`. */
export function printType(type: Type, name = ""): string {
  switch (type.kind) {
    case "void":
      return join("void", name);
    case "bool":
      return join("_Bool", name);
    case "int":
      return join(type.name, name);
    case "float":
      return join(type.approximated ? "long double" : type.bits === 32 ? "float" : "double", name);
    case "struct":
      return join(type.name, name);
    case "pointer": {
      const inner = type.to.kind === "array" || type.to.kind === "function" ? `(*${name})` : `*${name}`;
      return printType(type.to, inner);
    }
    case "array":
      return printType(type.element, `${name}[${type.length ?? ""}]`);
    case "function": {
      const parameters = type.parameters.map((parameter) => printType(parameter));
      if (type.variadic) parameters.push("...");
      if (parameters.length === 0 && !type.unprototyped) parameters.push("void");
      return printType(type.result, `${name}(${parameters.join(", ")})`);
    }
    default:
      return assertNever(type, "type");
  }
}

function join(type: string, name: string): string {
  return name === "" ? type : `${type} ${name}`;
}
