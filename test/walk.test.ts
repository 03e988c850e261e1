import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./support/builtCli.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

it("follows docs/walk.md in at most 12 files that exist, with at most two turns between layers", () => {
  const layers = new Map(
    [...read("docs/architecture.md").matchAll(/^\|\s*(\d+)\s*\|\s*`([\w/*]+)`\s*\|/gm)].map((row) => [
      row[2]!,
      Number(row[1]),
    ]),
  );
  const stations = [...read("docs/walk.md").matchAll(/^\| \d+ \| (\d+) \| `(src\/(\w+)\/[^`]+)` \|/gm)].map((row) => ({
    layer: Number(row[1]),
    file: row[2]!,
    folder: /^src\/commands\/\w+\/(?!command\.ts)/.test(row[2]!) ? "commands/*" : row[3]!,
  }));
  expect(stations.length).toBeGreaterThan(8);
  expect(stations.length).toBeLessThanOrEqual(12);
  expect(stations.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  expect(stations.filter(({ layer, folder }) => layers.get(folder) !== layer)).toEqual([]);
  const steps = stations.slice(1).map(({ layer }, i) => Math.sign(layer - stations[i]!.layer));
  const turns = steps.filter((step) => step !== 0).filter((step, i, all) => i > 0 && step !== all[i - 1]).length;
  expect(turns).toBeLessThanOrEqual(2);
});
