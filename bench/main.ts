import { existsSync } from "node:fs";

/** `npm run bench` runs every benchmark, `npm run bench -- NAME ARGS…` one of them. */
const names = [
  "interpreter",
  "solver",
  "explain",
  "compress",
  "verify",
  "recorder",
  "explore",
  "page",
  "dap",
  "agent",
  "batch",
];
/** Those that need a folder: only by name. */
const named = ["changes", "commits", "tests"];

type Benchmark = { readonly run: (args: readonly string[]) => Promise<void> | void };

async function main([name, ...args]: readonly string[]): Promise<void> {
  const chosen = name === undefined ? names : [name];
  for (const each of chosen) {
    const file = new URL(`./${each}.ts`, import.meta.url);
    if (![...names, ...named].includes(each) || !existsSync(file)) {
      console.error(`no benchmark "${each}"; there are: ${[...names, ...named].join(", ")}`);
      process.exitCode = 2;
      return;
    }
    const benchmark = (await import(file.href)) as Benchmark;
    await benchmark.run(args);
  }
}

await main(process.argv.slice(2));
