import { readFileSync } from "node:fs";
import { TracefoldError } from "../../base/errors.ts";
import type { ContractDifference, InferReport } from "./result.ts";
import { statementsOf } from "./statements.ts";

type Comparable = Pick<InferReport, "classes" | "functions">;

/** Reads contracts from an earlier `--format json`; they are compared as text. */
export function readContracts(path: string): Comparable {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw notContracts(path, (error as Error).message);
  }
  const report = data as Partial<InferReport> | null;
  if (report?.command !== "infer" || !Array.isArray(report.functions) || !Array.isArray(report.classes))
    throw notContracts(path, "it has no contracts");
  return report as Comparable;
}

function notContracts(path: string, reason: string): TracefoldError {
  return new TracefoldError({
    code: "TF123",
    message: `${path} cannot be compared with: ${reason}`,
    help: "It is what tracefold infer --format json --out FILE writes.",
  });
}

export function diffContracts(before: Comparable, after: Comparable): ContractDifference {
  const old = statements(before);
  const now = statements(after);
  const only = (some: typeof old, others: typeof old) =>
    [...some].flatMap(([key, { name, file, lines }]) => {
      const known = new Set(others.get(key)?.lines ?? []);
      return lines.filter((line) => !known.has(line)).map((statement) => ({ name, file, statement }));
    });
  const both = (some: typeof old, others: typeof old) => new Map([...some].filter(([key]) => others.has(key)));
  return {
    gone: only(both(old, now), now),
    new: only(both(now, old), old),
    removed: [...old].filter(([key]) => !now.has(key)).map(([, { name, file }]) => ({ name, file })),
    added: [...now].filter(([key]) => !old.has(key)).map(([, { name, file }]) => ({ name, file })),
  };
}

type Statements = ReadonlyMap<
  string,
  { readonly name: string; readonly file: string; readonly lines: readonly string[] }
>;

function statements({ classes, functions }: Comparable): Statements {
  const all = new Map<string, { name: string; file: string; lines: readonly string[] }>();
  for (const { name, file, invariants } of classes)
    all.set(`class ${file} ${name}`, {
      name: `class ${name}`,
      file,
      lines: invariants.map((text) => `invariant ${text}`),
    });
  for (const one of functions)
    all.set(`${one.file} ${one.name}`, { name: one.name, file: one.file, lines: statementsOf(one) });
  return all;
}
