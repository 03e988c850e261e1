import { describe, expect, it } from "vitest";
import { line, pageOf } from "../../src/mcp/answer.ts";
import { namedCommands } from "../../src/mcp/command.ts";
import { objects, oneOf, readArguments, requiredWord, schemaOf, truth, wholeNumber } from "../../src/mcp/parameters.ts";
import { createShelf } from "../../src/mcp/shelf.ts";
import { mostTokens } from "../../src/mcp/tokens.ts";
import { countTokens } from "./client.ts";

describe("pages of an answer", () => {
  const lines = Array.from({ length: 300 }, (_, i) => line(`claim ${i}: \`x = ${i * 7919}\` in a line of some length`));

  it("have all lines, each once, and say how many are left", () => {
    const seen: string[] = [];
    for (let from = 0; from < lines.length; ) {
      const page = pageOf({ lines, next: "go on" }, from, "a1");
      expect(countTokens(page)).toBeLessThanOrEqual(mostTokens);
      expect(page.includes("next: go on")).toBe(from === 0);
      const own = page.split("\n").filter((each) => each.startsWith("claim"));
      expect(own.length).toBeGreaterThan(5);
      seen.push(...own);
      from += own.length;
      const left = lines.length - from;
      if (left > 0) expect(page).toContain(`left out: ${left} of 300 lines; more {"answer":"a1","from":${from}}`);
      else expect(page).not.toContain("left out");
    }
    expect(seen).toEqual(lines);
  });

  it("keep to the limit whatever a line is made of", () => {
    for (const text of [
      "(".repeat(5000),
      "🙂".repeat(3000),
      "不".repeat(5000),
      "a1B2".repeat(2000),
      "\u0007".repeat(900),
    ])
      expect(countTokens(pageOf({ lines: [line(text)], next: line(text) }, 0, "a1"))).toBeLessThanOrEqual(mostTokens);
  });
});

describe("arguments of calls", () => {
  const edit = { file: requiredWord(""), line: wholeNumber("") };
  const parameters = { run: requiredWord(""), not: truth(""), kind: oneOf("", ["a", "b"]), edits: objects("", edit) };

  it("are read by their declarations", () => {
    expect(schemaOf(parameters).required).toEqual(["run"]);
    expect(readArguments(parameters, { run: "r1" })).toEqual({ run: "r1", not: false, kind: null, edits: null });
    const edits = [{ file: "a", line: 3 }];
    expect(readArguments(parameters, { run: "r1", edits })).toMatchObject({ edits });
  });

  it.each([
    [[], /"arguments" must be an object/],
    [{}, /"run" is missing/],
    [{ run: 1 }, /"run" must be a string, not 1/],
    [{ run: null }, /"run" is missing/],
    [{ run: "r1", not: "yes" }, /"not" must be true or false/],
    [{ run: "r1", kind: "c" }, /"kind" must be one of a, b/],
    [{ run: "r1", edits: {} }, /"edits" must be a list of objects/],
    [{ run: "r1", edits: [{ file: "a", line: -1 }] }, /"line" must be a whole number, not -1/],
    [{ run: "r1", edits: [{ line: 1 }] }, /"file" is missing/],
    [{ run: "r1", __proto__x: 1 }, /there is no parameter "__proto__x"/],
  ])("are refused: %j", (given, problem) => {
    expect(() => readArguments(parameters, given)).toThrow(problem);
  });
});

describe("things that are kept", () => {
  it("go by use, and when they are too large together", () => {
    const shelf = createShelf<number>({
      ...{ what: "thing", prefix: "t", most: 3, mostBytes: 10, help: "Get one." },
      sizeOf: (size) => size,
    });
    const ids = [1, 2, 3].map((size) => shelf.add(size));
    expect(ids).toEqual(["t1", "t2", "t3"]);
    shelf.get("t1");
    shelf.add(1);
    expect(shelf.get("t1")).toBe(1);
    expect(() => shelf.get("t2")).toThrow(/thing t2 is closed/);
    shelf.add(100);
    expect(() => shelf.get("t1")).toThrow(/closed/);
    expect(shelf.get("t5")).toBe(100);
    expect(() => shelf.get("t9")).toThrow(/there is no thing "t9"/);
  });
});

describe("test commands", () => {
  it("have names", () => {
    const commands = namedCommands(["npx vitest run", 'api=npm run "test api"', "env=NODE_ENV=test npx mocha"]);
    expect([...commands]).toEqual([
      ["test", ["npx", "vitest", "run"]],
      ["api", ["npm", "run", "test api"]],
      ["env", ["NODE_ENV=test", "npx", "mocha"]],
    ]);
    expect(namedCommands(["NODE_ENV=test npx mocha"]).get("test")).toEqual(["NODE_ENV=test", "npx", "mocha"]);
  });

  it("are refused without words, and twice under one name", () => {
    expect(() => namedCommands(["api="])).toThrow(/the command is missing/);
    expect(() => namedCommands(["npm test", "npx jest"])).toThrow(/two commands are called test/);
  });
});
