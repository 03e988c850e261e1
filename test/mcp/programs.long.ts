import { afterAll, describe, expect, it } from "vitest";
import { mostTokens } from "../../src/mcp/tokens.ts";
import { filesIn, startClient, workspaceOf } from "./client.ts";
import { failingProgram, failingProgramNames, repairWith } from "./failingPrograms.ts";

describe("ten failing programs, with the SDK's own client", () => {
  const sizes: number[] = [];

  it.each(failingProgramNames)("%s", async (name) => {
    const program = failingProgram(name);
    const workspace = workspaceOf({}, program.copied);
    const before = filesIn(workspace.root).length;
    const client = await startClient(workspace, program.command === null ? [] : ["--test-command", program.command]);
    await repairWith(client, program);
    await client.close();
    sizes.push(...client.sizes);
    expect(filesIn(workspace.root).length).toBe(before);
    expect(filesIn(workspace.temporary)).toEqual([]);
    workspace.remove();
  });

  afterAll(() => {
    expect(sizes.length).toBeGreaterThanOrEqual(5 * failingProgramNames.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(mostTokens);
    const sum = sizes.reduce((total, size) => total + size, 0);
    console.log(
      `${sizes.length} answers: ${Math.round(sum / sizes.length)} tokens on average, ${Math.max(...sizes)} at most`,
    );
  });
});
