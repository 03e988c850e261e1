import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { check } from "../../src/commands/check/command.ts";
import { type Command, givenTo } from "../../src/commands/command.ts";
import { explain } from "../../src/commands/explain/command.ts";
import { run } from "../../src/commands/run/command.ts";
import { type Engine, startEngine } from "../../src/engine/startEngine.ts";
import { root } from "../support/builtCli.ts";

const request = run.request(givenTo(run, { words: [join(root, "examples/overflow.c")], raw: { format: "json" } }));

/** An engine started, waited for, and ended. */
async function endingOf<Answer>(engine: Engine<Answer>) {
  try {
    return await engine.ending;
  } finally {
    engine.end();
  }
}

describe("the engine, without a command line", () => {
  it("answers what it is asked", async () => {
    const ending = await endingOf(startEngine(run, request));
    expect(ending).toMatchObject({
      kind: "answer",
      answer: { kind: "ran", report: { outcome: { kind: "undefined-behaviour" } } },
    });
  });

  it("hands over what is wrong with the request", async () => {
    const missing = { ...request, files: ["missing.c"] };
    const ending = await endingOf(startEngine(run, missing));
    expect(ending).toMatchObject({
      kind: "error",
      error: { kind: "tracefold", details: { code: "TF101" } },
    });
  });

  it("reports an unknown command as a defect", async () => {
    const unknown: Command<never, typeof request, number> = {
      ...(run as unknown as Command<never, typeof request, number>),
      name: "other",
    };
    const ending = await endingOf(startEngine(unknown, request));
    expect(ending).toMatchObject({ kind: "error", error: { kind: "defect" } });
  });

  it("stops before it has begun", async () => {
    const engine = startEngine(check, { path: root, solver: "auto", timeoutSeconds: null });
    engine.stop("interrupt");
    engine.end();
    expect(await engine.ending).toEqual({ kind: "ended", reason: "interrupt", known: null });
  });
});

describe("the command line", () => {
  it("starts from the sources", () => {
    const main = join(root, "src/cli/main.ts");
    const { status, stderr, stdout } = spawnSync("node", ["--import", "tsx", main, "run", "overflow.c"], {
      cwd: join(root, "examples"),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(stdout).toContain("overflows int");
    expect(status).toBe(1);
  });

  it("tells what it knows, which is the answer if it is stopped", async () => {
    const words = [join(root, "examples/overflow.c")];
    const kinds: string[] = [];
    const engine = startEngine(explain, explain.request(givenTo(explain, { words })), ({ explanation }) => {
      kinds.push(explanation.kind);
      if (explanation.kind === "explained") engine.stop("interrupt");
    });
    const ending = await endingOf(engine);
    expect(kinds.slice(0, 2)).toEqual(["interrupted", "explained"]);
    const answer = ending.kind === "answer" ? ending.answer : ending.kind === "ended" ? ending.known : null;
    expect(answer?.explanation).toMatchObject({ kind: "explained", failure: { kind: "undefined-behaviour" } });
  });
});
