import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/builtCli.ts";
import { consoleCommands, shellLines } from "./support/consoleBlocks.ts";
import { runShown, withoutTimes } from "./support/shownCommands.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const documents = ["README.md", "CHANGELOG.md", ...markdownBelow("docs"), ...markdownBelow("examples")];

describe("the documentation shows what happens", () => {
  for (const path of documents) {
    for (const { command, output, line } of consoleCommands(read(path))) {
      it(`${path}:${line}: ${command}`, () => {
        expect(withoutTimes(runShown(command))).toBe(withoutTimes(output));
      });
    }
  }

  it("has exactly two setup commands in the README", () => {
    const commands = shellLines(read("README.md")).filter((line) => line.includes("npm ci"));
    expect(commands).toHaveLength(2);
    expect(commands[0]).toMatch(/^npm ci && npx tracefold explain( examples\/\S+\.c)+$/);
    expect(commands[1]).toBe("npm ci && npm test");
    expect(read(".ci/run").trimEnd().split("\n").at(-1)).toBe(commands[1]);
    expect(consoleCommands(read("README.md"))[0]!.command).toBe(commands[0]!.replace("npm ci && ", ""));
  });

  it("shows no SV-COMP function on the first screen of the README", () => {
    const first = read("README.md").split("## Try it")[0]!;
    expect(first).toContain("int main(int argc, char **argv)");
    expect(first).not.toContain("__VERIFIER");
  });

  it("lists every example with a command that runs it", () => {
    const list = read("examples/README.md");
    for (const file of readdirSync(join(root, "examples")).filter((name) => name.endsWith(".c"))) {
      expect(list).toContain(`[${file}](${file})`);
      const command = new RegExp(`\`(tracefold run ${file}[^\`]*)\``).exec(list);
      expect(command, file).not.toBeNull();
      expect(runShown(command![1]!, join(root, "examples")), file).toMatch(/^trace: \d/m);
    }
  });

  it("lists every ordinary program with a command that explains it", () => {
    const list = read("examples/README.md");
    for (const file of readdirSync(join(root, "examples/programs")).filter((name) => name.endsWith(".c"))) {
      const command = new RegExp(`\`(tracefold explain programs/${file} [^\`]*)\``).exec(list);
      expect(command, file).not.toBeNull();
      expect(runShown(command![1]!, join(root, "examples")), file).toContain("<-- look here");
    }
  });

  it("has links between documents that lead to files", () => {
    for (const path of documents) {
      // Code may look like a link: `table[k](v)`.
      for (const [, target] of read(path)
        .replaceAll(/`[^`\n]*`/g, "")
        .matchAll(/\]\(([^)#:]+)\)/g)) {
        expect(existsSync(join(root, dirname(path), target!)), `${path}: ${target}`).toBe(true);
      }
    }
  });
});

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}
