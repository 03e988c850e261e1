import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { predefinedMacros } from "../../../src/c/preprocess/options.ts";
import { hasTool } from "../../support/tools.ts";

/** Names and values of the macros that gcc has before it reads anything. */
function definedByGcc(...flags: readonly string[]): Map<string, string> {
  const text = execFileSync("gcc", ["-dM", "-E", "-xc", ...flags, "/dev/null"], { encoding: "utf8" });
  return macrosIn(text);
}

function macrosIn(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^#define (\w+) (.*)$/gm)].map((match) => [match[1]!, match[2]!]));
}

/** Ours are those of an old version of gcc, which is what programs ask about. */
const version = /^__GNUC|^__VERSION__$|^__TRACEFOLD__$|^__STDC_NO_/;

const models = (["LP64", "ILP32"] as const).filter((model) => model === "LP64" || hasTool("gcc -m32"));

describe.skipIf(!hasTool("gcc"))("predefined macros are gcc's", () => {
  it.each(models)("%s", (model) => {
    const theirs = definedByGcc(model === "LP64" ? "-m64" : "-m32");
    const ours = macrosIn(predefinedMacros(model));
    const shown = [...ours].filter(([name]) => !version.test(name));
    expect(shown.length).toBeGreaterThan(60);
    expect(shown.filter(([name]) => !theirs.has(name))).toEqual([]);
    // Numbers may be written in another base.
    const number = (text: string) => text.replace(/^(0x[\da-f]+|\d+)/i, (digits) => `${BigInt(digits)}`);
    const orders = /^__(ORDER_|BYTE_ORDER)|_TYPE__$/;
    for (const [name, value] of shown) {
      if (!orders.test(name)) expect(`${name} ${number(value)}`).toBe(`${name} ${number(theirs.get(name)!)}`);
    }
  });

  it.each(["c89", "gnu89", "c99", "gnu99", "c11", "gnu11", "c17", "gnu17", "iso9899:1999"])("-std=%s", (standard) => {
    const theirs = definedByGcc("-m64", `-std=${standard}`);
    const ours = macrosIn(predefinedMacros("LP64", standard));
    const decided = [
      "__STDC_VERSION__",
      "__STRICT_ANSI__",
      "linux",
      "unix",
      "__GNUC_STDC_INLINE__",
      "__GNUC_GNU_INLINE__",
    ];
    for (const name of decided) expect(`${name} ${ours.get(name)}`).toBe(`${name} ${theirs.get(name)}`);
  });
});
