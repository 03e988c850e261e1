import { describe, expect, test } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";

const notesOf = async (body: string, dataModel: "LP64" | "ILP32" = "LP64") =>
  (await loadCText("t.c", `int main(void) { int x; int *p = &x; ${body} }`, { dataModel })).notes;

describe("addresses as shorter integers", () => {
  test("are noted once, at the first place", async () => {
    const notes = await notesOf("return (unsigned)p != 0 && (int)p != 1;");
    expect(notes.map(({ message, range }) => [message.slice(0, 34), range.line])).toEqual([
      ["an address is converted to a short", 1],
    ]);
  });

  test("are not noted if the integer is as long as a pointer", async () => {
    expect(await notesOf("return (long)p != 0;")).toEqual([]);
    expect(await notesOf("return (int)p != 0;", "ILP32")).toEqual([]);
  });
});
