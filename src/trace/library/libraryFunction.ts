import type { Value } from "../../ir/scalarValue.ts";
import type { Machine } from "../machine.ts";

/**
 * A function of the C library. Arguments are canonical values of the types that the call passes; the result is one of
 * the function's own type. `site` leads to the call, with the arguments' types, and is the place of undefined behaviour.
 */
export type LibraryFunction = (machine: Machine, site: number, ...args: never[]) => Value | undefined;

export type LibraryTable = Readonly<Record<string, LibraryFunction>>;
