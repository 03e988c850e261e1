import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsonTokenizer, type JsonHandler, type JsonPlace } from "../../../src/interop/cbmc/jsonTokens.ts";

class Refused extends Error {
  readonly problem: string;
  readonly place: JsonPlace;
  constructor(problem: string, place: JsonPlace) {
    super(`${problem} at ${place.line}:${place.column}`);
    this.problem = problem;
    this.place = place;
  }
}

/** Builds the value from the events. */
function parse(text: string | Uint8Array, chunkSize: number, wanted = true): unknown {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const stack: { value: unknown[] | Record<string, unknown>; key: string }[] = [{ value: [], key: "" }];
  const put = (value: unknown) => {
    const top = stack.at(-1)!;
    if (Array.isArray(top.value)) top.value.push(value);
    else Object.defineProperty(top.value, top.key, { value, enumerable: true, configurable: true, writable: true });
  };
  const open = (value: unknown[] | Record<string, unknown>) => {
    put(value);
    stack.push({ value, key: "" });
  };
  const handler: JsonHandler = {
    openObject: () => open({}),
    openArray: () => open([]),
    close: () => void stack.pop(),
    key: (name) => {
      stack.at(-1)!.key = name;
    },
    string: put,
    literal: (literal) => put(JSON.parse(literal)),
    wanted: () => wanted,
  };
  const tokenizer = createJsonTokenizer(handler, (problem, place) => {
    throw new Refused(problem, place);
  });
  for (let i = 0; i < bytes.length; i += chunkSize) tokenizer.write(bytes.subarray(i, i + chunkSize));
  tokenizer.end();
  return (stack[0]!.value as unknown[])[0];
}

function refusal(text: string, chunkSize = 3): Refused {
  try {
    parse(text, chunkSize);
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe("incremental JSON", () => {
  it("reads what JSON.parse reads, however it is cut", () => {
    fc.assert(
      fc.property(
        fc.json({ stringUnit: "binary" }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(undefined, 1, "\t"),
        (json, size, indent) => {
          const text = JSON.stringify(JSON.parse(json), null, indent);
          expect(parse(text, size)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("accepts nothing that JSON.parse refuses, and refuses nothing that it accepts", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "1",
      "-",
      "01",
      "1.5e3",
      "true",
      "nul",
      " ",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), fc.integer({ min: 1, max: 4 }), (parts, size) => {
        const text = parts.join("");
        const accepts = (read: () => unknown) => {
          try {
            read();
            return true;
          } catch (error) {
            if (!(error instanceof SyntaxError || error instanceof Refused)) throw error;
            return false;
          }
        };
        expect(accepts(() => parse(text, size))).toBe(accepts(() => JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it("knows the place of what is wrong", () => {
    expect(refusal('{\n  "a": 1,\n  b: 2\n}')).toMatchObject({ place: { offset: 14, line: 3, column: 3 } });
    expect(refusal('["a" "b"]').message).toBe("',' or ']' is missing at 1:6");
    expect(refusal('{"a" 1}').message).toBe("':' is missing at 1:6");
    expect(refusal("[1, tru]").message).toBe("a value is missing, not tru at 1:5");
    expect(refusal("[1]]").message).toBe("there is text behind the end at 1:4");
    expect(refusal('["abc').message).toBe("a text does not end at 1:2");
    expect(refusal('["a\\x"]').problem).toBe("a text has a control character or an unknown escape");
    expect(refusal("[1,\n").message).toBe("the file ends too early at 2:1");
    expect(refusal("").message).toBe("the file ends too early at 1:1");
  });

  it("takes a byte order mark, and numbers at the very end", () => {
    expect(parse(new Uint8Array([0xef, 0xbb, 0xbf, 0x34, 0x32]), 16)).toBe(42);
  });

  it("does not hand out what is not wanted", () => {
    expect(parse('{"a": "b", "c": [1, "d"]}', 5, false)).toEqual({ c: [] });
  });
});
