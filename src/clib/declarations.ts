import { declaredAliases } from "./aliases.ts";
import { parsePrototype, printPrototype } from "./prototype.ts";
import { entries } from "./table.ts";

/** The functions of a header, as C declares them. */
export function declarations(header: string): string {
  const own = entries
    .filter((entry) => entry.header === header)
    .map(({ kind, prototype }) => (kind === "operation" ? printPrototype(parsePrototype(prototype)) : `${prototype};`));
  const others = declaredAliases(header).map(({ name, of }) =>
    printPrototype({ ...parsePrototype(of.prototype), name }),
  );
  return [...own, ...others, ""].join("\n");
}
