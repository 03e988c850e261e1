import { describe, expect, it } from "vitest";
import { decideCells, programs, wrongPrograms } from "./cellPrograms.ts";

describe("cells: what holds of all cells of a part of an array", () => {
  it.each(Object.keys(programs))("%s", { timeout: 600_000 }, async (name) => {
    expect(await decideCells(programs[name]!)).toMatchObject({ kind: "safe", engine: "cells" });
  });

  it.each(wrongPrograms)("%s: not safe", { timeout: 600_000 }, async (_, body) => {
    expect((await decideCells(body, ["cells"])).kind).not.toBe("safe");
  });
});
