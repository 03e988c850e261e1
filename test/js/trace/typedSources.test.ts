import { describe, expect, it } from "vitest";
import { instrumentForTrace } from "../../../src/js/trace/instrument/instrument.ts";

const sources = [
  { name: "the type of a caught error", text: "try { f(); } catch (error: any) { g(error.message); }" },
  { name: "a caught pattern", text: "try { f(); } catch ({ message }: any) { g(message); }" },
];

describe("TypeScript that can be traced", () => {
  it.each(sources)("$name", ({ text }) => {
    expect(instrumentForTrace("probe.ts", text, "module", 1)).toMatchObject({ kind: "instrumented" });
  });
});
