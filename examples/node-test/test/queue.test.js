import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Queue } from "../src/queue.js";

describe("queue", () => {
  it("gives back what it started with", async () => {
    assert.equal(await new Queue().run(3), 3);
  });

  it("hands results on", async () => {
    const queue = new Queue().add(async (x) => x + 1).add(async (x) => x * 2);
    assert.equal(await queue.run(3), 8);
  });
});
