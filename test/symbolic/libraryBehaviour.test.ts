import { expect, it } from "vitest";
import { libraryFunctions } from "../../src/frontend/c/lower/libraryFunctions.ts";
import { isKnownFunction, libraryBehaviour } from "../../src/symbolic/libraryBehaviour.ts";

it("every library function is classified, and as writing what the front end says", () => {
  for (const { name, writes, parameters } of libraryFunctions.values()) {
    expect(isKnownFunction(name), name).toBe(true);
    const behaviour = libraryBehaviour(name);
    // Freeing, and moving a block, write nothing that can be read at an old address.
    if (name === "free" || name === "realloc") continue;
    expect(behaviour.writes !== "nothing", name).toBe(writes);
    if (typeof behaviour.writes === "object" && "arguments" in behaviour.writes) {
      for (const index of behaviour.writes.arguments) expect(parameters[index], name).toMatch(/pointer|string/);
    }
  }
});

it("a function that is not known may write anything", () => {
  expect(libraryBehaviour("frobnicate").writes).toBe("anything");
});
