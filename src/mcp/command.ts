import { list, type Options, optionalCount, seconds, textOr, usageError } from "../commands/options/option.ts";
import { splitWords } from "../commands/options/testOptions.ts";
import type { Service } from "../commands/service.ts";

const defaultSeconds = 50;
const defaultRuns = 8;

const options = {
  root: textOr("--root <folder>", "the workspace: files outside of it are refused", "."),
  testCommand: list(
    "--test-command <command>",
    'a command that runs tests, such as "npx vitest run"; api="npm run test:api" has a name',
  ),
  includeFolders: list("-I, --include <folder>", "search this folder for included files of C programs"),
  defines: list("-D, --define <macro>", "define a macro for C programs: NAME or NAME=VALUE"),
  seconds: seconds("--timeout <seconds>", `time limit of a call (${defaultSeconds})`),
  openRuns: optionalCount("--runs <count>", `number of runs that stay open for questions (${defaultRuns})`),
} satisfies Options;

/** `tracefold mcp`: a server of the Model Context Protocol, for coding agents. */
export const mcp: Service<typeof options> = {
  name: "mcp",
  summary: "serve a coding agent: explain, why, history, try a change (Model Context Protocol)",
  teaching: `
It is started by the agent's client, not by hand. For example, in .mcp.json of Claude Code:

  { "mcpServers": { "tracefold": { "command": "npx",
      "args": ["tracefold", "mcp", "--test-command", "npx vitest run"] } } }

The agent can run these test commands and the C programs below --root, and nothing else. It names a
command, and never writes one. No file is changed: the agent's client edits files.
docs/agents.md has the tools, other clients, and a prompt that works.`,
  options,
  async serve({ root, testCommand, includeFolders, defines, seconds: limit, openRuns }) {
    const { serve } = await import("./serve.ts");
    return serve({
      root,
      commands: namedCommands(testCommand),
      ...{ includeFolders, defines },
      seconds: limit ?? defaultSeconds,
      openRuns: openRuns ?? defaultRuns,
    });
  },
};

/** `unit=npx vitest run`; without a name it is called `test`. Names are in small letters, as variables are not. */
export function namedCommands(given: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const commands = new Map<string, readonly string[]>();
  for (const each of given) {
    const [, name = "test", text = each] = /^([a-z][a-z0-9-]*)=(.*)$/s.exec(each) ?? [];
    const words = splitWords("--test-command", text);
    if (words.length === 0) throw usageError(`--test-command ${each}: the command is missing`);
    if (commands.has(name))
      throw usageError(`--test-command: two commands are called ${name}; name them, as in api="npm run test:api"`);
    commands.set(name, words);
  }
  return commands;
}
