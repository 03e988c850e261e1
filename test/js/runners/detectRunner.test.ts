import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { detectRunner } from "../../../src/js/runners/detectRunner.ts";
import { writeProject } from "./fixture.ts";

const roots: string[] = [];
const project = (scripts: object, more: object = {}): string => {
  const root = writeProject({ "package.json": JSON.stringify({ scripts, ...more }) });
  roots.push(root);
  return root;
};

describe("detectRunner", () => {
  afterAll(() => {
    for (const root of roots) rmSync(root, { recursive: true });
  });

  it.each([
    ["npx vitest run src/a.test.ts", {}, "vitest src/a.test.ts"],
    ["npm test", { test: "vitest" }, "vitest"],
    ["npm test -- -t adds", { test: "tsc && vitest run --coverage" }, "vitest --coverage -t adds"],
    ["npm run unit", { unit: "NODE_ENV=test npx jest --config 'a b.js'" }, "jest --config a b.js"],
    [
      "pnpm check",
      { check: "npm run lint && pnpm unit", lint: "eslint .", unit: "c8 mocha test/*.js" },
      "mocha test/*.js",
    ],
    ["yarn test", { test: "node --test test/" }, "node:test test/"],
    ["node --test", {}, "node:test"],
    ["node ./node_modules/jest/bin/jest.js a", {}, "jest a"],
    ["", { test: "mocha" }, "mocha"],
  ])("finds the runner in %s", (command, scripts, expected) => {
    const { runner, words } = detectRunner(command.split(" ").filter(Boolean), project(scripts));
    expect([runner, ...words].join(" ")).toBe(expected);
  });

  it("looks for packages if no script tells", () => {
    const { runner, words } = detectRunner([], project({}, { devDependencies: { jest: "30" } }));
    expect([runner, ...words]).toEqual(["jest"]);
  });

  it.each([
    ["TZ=UTC node --experimental-vm-modules node_modules/.bin/jest a", "TZ=UTC --experimental-vm-modules | a"],
    ["cross-env NODE_OPTIONS=--no-warnings jest", "NODE_OPTIONS=--no-warnings | "],
    ["node --import tsx --test-timeout=9 --test test/*.ts", " --import tsx | --test-timeout=9 test/*.ts"],
    ["tsx --test a.ts", " --import tsx | a.ts"],
    ["mocha --import tsx --require ./setup.js spec", " --import tsx | --require ./setup.js spec"],
  ])("keeps variables and flags of Node in %s", (command, expected) => {
    const { words, launch } = detectRunner(["npm", "test"], project({ test: command }));
    const env = Object.entries(launch.env).map(([name, value]) => `${name}=${value}`);
    expect(`${[env.join(" "), ...launch.nodeFlags].join(" ")} | ${words.join(" ")}`).toBe(expected);
  });

  it("says what is missing", () => {
    expect(() => detectRunner(["npm", "test"], project({ test: "tap" }))).toThrow(
      "`npm test` runs none of vitest, jest, mocha and node:test",
    );
  });
});
