import { describe, expect, it } from "vitest";
import { manPage } from "../../scripts/manPage.ts";
import { commands } from "../../src/commands/all.ts";
import { optionsOf } from "../../src/commands/command.ts";
import { exitCodes } from "../../src/commands/output.ts";

describe("the manual page", () => {
  const page = manPage();

  it("has every command with every option", () => {
    for (const command of commands) {
      expect(page).toContain(`.SS tracefold ${command.name} `);
      for (const { flags, hidden } of Object.values(optionsOf(command))) {
        const [long = ""] = /--[\w-]+/.exec(flags) ?? [];
        if (!hidden) expect(page).toContain(`\\fB${long.replaceAll("-", "\\-")}\\fR`);
      }
    }
  });

  it("has every exit status", () => {
    const section = page.slice(page.indexOf(".SH EXIT STATUS"), page.indexOf(".SH ENVIRONMENT"));
    for (const code of Object.values(exitCodes)) expect(section).toMatch(new RegExp(`\\b${code}\\b`));
  });

  it("has no line that a reader takes for an unknown macro", () => {
    const macros = page.split("\n").filter((line) => /^[.']/.test(line));
    expect(macros.filter((line) => !/^\.(TH|SH|SS|TP|B)\b/.test(line))).toEqual([]);
  });
});
