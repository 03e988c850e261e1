import { describe, expect, it } from "vitest";
import { decideCells, programs, wrongPrograms } from "./cellPrograms.ts";

// cells.long.ts has all of them.
describe("cells: what holds of all cells of a part of an array", () => {
  it.each(["copy"])("%s", async (name) => {
    expect(await decideCells(programs[name]!)).toMatchObject({ kind: "safe", engine: "cells" });
  });

  it.each(wrongPrograms.slice(0, 2))("%s: not safe", async (_, body) => {
    expect((await decideCells(body, ["cells"])).kind).not.toBe("safe");
  });
});
