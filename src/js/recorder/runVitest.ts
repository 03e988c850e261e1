import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { directoryVariable } from "./logFormat.ts";
import recorder, { withoutModuleCache } from "./vitest.ts";

/** The part of `vitest/node` that we use. */
type VitestNode = {
  parseCLI(words: readonly string[]): { readonly filter: string[]; readonly options: Record<string, unknown> };
  startVitest(
    mode: "test",
    filters: string[],
    options: Record<string, unknown>,
    vite: { readonly plugins: readonly unknown[] },
  ): Promise<{ close(): Promise<void> }>;
};

const closingMilliseconds = 10_000;

/** `node runVitest.js run FILTERS…`: the project's own vitest with our plugin in front, its configuration untouched. */
async function main(words: readonly string[]): Promise<void> {
  const project = createRequire(join(process.cwd(), "package.json"));
  const path = project.resolve("vitest/node");
  const vitest = (await import(pathToFileURL(path).href)) as VitestNode;
  const { filter, options } = vitest.parseCLI(["vitest", ...words]);
  const running = await vitest.startVitest(
    "test",
    filter,
    { ...options, watch: false, run: true, ...withoutModuleCache(process.env[directoryVariable] ?? "") },
    { plugins: [recorder()] },
  );
  // As vitest's own command does: something that stays open must not keep us waiting for good.
  setTimeout(() => process.exit(), closingMilliseconds).unref();
  await running.close();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  // A configuration that cannot be read, say: what vitest's own command would print.
  console.error(error);
  process.exit(1);
}
