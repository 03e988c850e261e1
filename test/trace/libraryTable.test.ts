import { expect, test } from "vitest";
import { libraryFunctions } from "../../src/frontend/c/lower/libraryFunctions.ts";
import { libraryTable } from "../../src/trace/library/libraryTable.ts";

test("every library function that lowering knows is there", () => {
  expect([...libraryFunctions.keys()].filter((name) => !Object.hasOwn(libraryTable, name))).toEqual([]);
});
