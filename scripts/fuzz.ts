import { type ParseArgsConfig, parseArgs } from "node:util";
import type { DataModelName } from "../src/ir/type.ts";
import { searchClaims } from "../test/support/claims/searchedClaims.ts";
import { fuzzClaims } from "./fuzzClaims.ts";
import { fuzzFolding } from "./fuzzFolding.ts";
import { fuzzPrograms } from "./fuzzPrograms.ts";

const text = { type: "string" } as const;
const options = {
  help: { type: "boolean", short: "h" },
  seed: text,
  n: text,
  count: text,
  seconds: text,
  workers: text,
  "data-model": text,
  "keep-going": { type: "boolean" },
  "shrink-budget": text,
} satisfies ParseArgsConfig["options"];

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];

type Fuzzer = { readonly options: string; readonly help: string; run(values: Values): Promise<boolean> };

/** Each answers whether everything held. */
const fuzzers: Readonly<Record<string, Fuzzer>> = {
  programs: {
    options: "--count --seed --data-model --keep-going --shrink-budget",
    help: "generated C programs in the interpreter and in a gcc build: same output, exit code, decisions and verdicts",
    run: (values) =>
      fuzzPrograms({
        seed: Number(values.seed ?? 1),
        count: Number(values.count ?? 1000),
        dataModel: (values["data-model"] ?? null) as DataModelName | null,
        keepGoing: values["keep-going"] ?? false,
        shrinkBudget: Number(values["shrink-budget"] ?? 600),
      }),
  },
  folding: {
    options: "--count --seed --seconds --keep-going",
    help: "generated programs with loops, folded: other runs that the folded run stands for meet its target too",
    run: (values) =>
      fuzzFolding({
        seed: Number(values.seed ?? 1),
        count: Number(values.count ?? 1000),
        seconds: Number(values.seconds ?? 10),
        keepGoing: values["keep-going"] ?? false,
      }),
  },
  claims: {
    options: "--n --seed --seconds --workers --shrink-budget",
    help: "explanations of generated programs, tried on other inputs that satisfy them, also in gcc builds with sanitizers",
    run: (values) =>
      fuzzClaims({
        seed: Number(values.seed ?? 1),
        count: Number(values.n ?? 200),
        seconds: Number(values.seconds ?? 60),
        shrinkBudget: Number(values["shrink-budget"] ?? 120),
        workers: Number(values.workers ?? 1),
      }),
  },
  "byte-claims": {
    options: "--n --seed",
    help: "the same for programs that read standard input byte by byte",
    run: async (values) => {
      const seeds = Array.from({ length: Number(values.n ?? 200) }, (_, i) => Number(values.seed ?? 1) + i);
      const { claims, total, refuted } = await searchClaims(seeds, 32, "bytes");
      const found = `${claims} claims about bytes, ${total} of them total, ${refuted.length} refuted`;
      console.log(`${seeds.length} programs, ${found}`);
      for (const each of refuted) console.log(each);
      return refuted.length === 0;
    },
  },
};

function usage(): string {
  const rows = Object.entries(fuzzers).map(
    ([name, { help, options }]) => `  ${name.padEnd(12)} ${help}\n${"".padEnd(15)}${options}`,
  );
  return `npm run fuzz -- [NAME] [OPTIONS], NAME being one of (programs if none is given):\n${rows.join("\n")}`;
}

/** Null: what was asked for is not to be had. */
function parsed(): { readonly fuzzer: Fuzzer | null; readonly values: Values } | null {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (values.help === true) return { fuzzer: null, values };
    const fuzzer = positionals.length > 1 ? undefined : fuzzers[positionals[0] ?? "programs"];
    if (fuzzer !== undefined) return { fuzzer, values };
    console.error(`no fuzzer "${positionals.join(" ")}"`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(error.message);
  }
  return null;
}

const asked = parsed();
if (asked === null) {
  console.error(usage());
  process.exitCode = 2;
} else if (asked.fuzzer === null) console.log(usage());
else if (!(await asked.fuzzer.run(asked.values))) process.exitCode = 1;
