import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { countTokens as countOlder } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countNewer } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { builtCli, root as repository } from "../support/builtCli.ts";

/** Tokens of a text, by the tokenizer that makes more of it. */
export function countTokens(text: string): number {
  return Math.max(countOlder(text), countNewer(text));
}

/** A folder to work in, with files of the repository or with texts, and the packages that tests need. */
export type TestWorkspace = { readonly root: string; readonly temporary: string; remove(): void };

export function workspaceOf(files: Readonly<Record<string, string>>, copied: readonly string[] = []): TestWorkspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tracefold-mcp-test-")));
  const [root, temporary] = [join(folder, "root"), join(folder, "temporary")];
  for (const path of [root, temporary]) mkdirSync(path);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  for (const path of copied)
    cpSync(join(repository, path), join(root, path.split("/").at(-1) ?? ""), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, temporary, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export type Told = { readonly text: string; readonly isError: boolean };

export type TestClient = {
  readonly client: Client;
  /** Of the server. */
  readonly pid: number;
  /** The tokens of each answer so far. */
  readonly sizes: readonly number[];
  call(name: string, given: object, options?: { readonly signal?: AbortSignal }): Promise<Told>;
  /** Like `call`, for a call that must not fail. */
  tell(name: string, given: object): Promise<string>;
  close(): Promise<void>;
};

/** The SDK's own client with the built server in a process of its own. */
export async function startClient(
  { root, temporary }: Pick<TestWorkspace, "root" | "temporary">,
  options: readonly string[] = [],
  onProgress: (message: string) => void = () => {},
): Promise<TestClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCli(), "mcp", "--root", root, ...options],
    env: { PATH: process.env.PATH ?? "", TMPDIR: temporary },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const sizes: number[] = [];
  const call = async (name: string, given: object, more: { readonly signal?: AbortSignal } = {}): Promise<Told> => {
    const result = await client.callTool({ name, arguments: { ...given } }, undefined, {
      timeout: 600_000,
      onprogress: ({ message }) => onProgress(message ?? ""),
      ...more,
    });
    const [content] = result.content as readonly { readonly type: string; readonly text: string }[];
    const text = content?.text ?? "";
    sizes.push(countTokens(text));
    return { text, isError: result.isError === true };
  };
  return {
    client,
    pid: transport.pid ?? 0,
    sizes,
    call,
    async tell(name, given) {
      const { text, isError } = await call(name, given);
      expect(isError ? text : "").toBe("");
      return text;
    },
    close: () => client.close(),
  };
}

/** Waits until something holds; a test that waits in vain is ended by its own limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => !path.startsWith("node_modules/"));
}
