import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { allCommands, completionScript, shells } from "../../src/cli/completion/completionScript.ts";
import { findExecutable } from "../../src/solver/backend/backends.ts";

const folder = mkdtempSync(join(tmpdir(), "tracefold-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));

const scripts = Object.fromEntries(
  shells.map((shell) => {
    const path = join(folder, shell);
    writeFileSync(path, completionScript(shell));
    return [shell, path];
  }),
);

function inShell(shell: string, ...words: readonly string[]) {
  return spawnSync(shell, words, { cwd: folder, encoding: "utf8" });
}

/** What bash offers for the last word. */
function offers(...words: readonly string[]): readonly string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tracefold; echo "\${COMPREPLY[*]}"`;
  const { stdout, stderr } = inShell("bash", "-c", program, "bash", scripts.bash!, "tracefold", ...words);
  expect(stderr).toBe("");
  return stdout.trim() === "" ? [] : stdout.trim().split(" ");
}

describe("completions for bash", () => {
  it("offers the commands", () => {
    expect(offers("")).toEqual([...allCommands().map(({ name }) => name), "--help", "--version"]);
    expect(offers("expl")).toEqual(["explain", "explore"]);
  });

  it("offers the options of the command that was given", () => {
    expect(offers("explain", "--fo")).toEqual(["--format"]);
    expect(offers("check", "--")).not.toContain("--stdin");
    expect(offers("explain", "--st")).toEqual(["--stdin"]);
  });

  it("offers the values of an option, behind a blank and behind an equals sign", () => {
    expect(offers("explain", "--format", "")).toEqual(["text", "json", "sarif", "witness", "invariants"]);
    expect(offers("explain", "--format", "=")).toEqual(["text", "json", "sarif", "witness", "invariants"]);
    expect(offers("explain", "--format", "=", "j")).toEqual(["json"]);
    expect(offers("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  it("offers folders where a folder is needed", () => {
    spawnSync("mkdir", [join(folder, "tests")]);
    expect(offers("explain", "--tests", "te")).toEqual(["tests"]);
  });

  it("leaves words behind -- to the program", () => {
    expect(offers("explain", "a.c", "--", "--fo")).toEqual([]);
  });
});

const hasFish = findExecutable("fish") !== null;
const hasZsh = findExecutable("zsh") !== null;

describe("completions for other shells", () => {
  it.skipIf(!hasFish)("fish offers commands, options and values", () => {
    const ask = (line: string) =>
      inShell("fish", "-c", 'source $argv[1]; complete -C "$argv[2]"', scripts.fish!, line).stdout.trim().split("\n");
    expect(ask("tracefold expl").map((line) => line.split("\t")[0])).toEqual(["explain", "explore"]);
    expect(ask("tracefold explain --format ").map((line) => line.split("\t")[0])).toContain("sarif");
    expect(ask("tracefold completion ")).toEqual(["bash", "fish", "zsh"]);
  });

  it.skipIf(!hasZsh)("zsh reads the script", () => {
    expect(inShell("zsh", "-n", scripts.zsh!)).toMatchObject({ status: 0, stderr: "" });
  });

  it("names every option in each script", () => {
    for (const shell of shells) {
      const script = completionScript(shell);
      for (const { name, options } of allCommands()) {
        expect(script).toContain(name);
        for (const { long } of options) expect(script).toContain(shell === "fish" ? `-l ${long.slice(2)} ` : long);
      }
    }
  });
});
