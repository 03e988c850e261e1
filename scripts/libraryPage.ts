import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { assertNever } from "../src/base/errors.ts";
import type { Entry, OperationEntry } from "../src/c/library/entry.ts";
import type { Extent, MemoryUse } from "../src/c/library/memoryUse.ts";
import { entries, entryName } from "../src/c/library/table.ts";

/** The lists of `docs/c-library.md`, from the table: `npm run library-page` writes them. */
const page = fileURLToPath(new URL("../docs/c-library.md", import.meta.url));
const marker = "<!-- From here on this page is made from the table. -->\n";

/** The page with its lists as they should be. */
export function libraryPage(text: string): string {
  const end = text.indexOf(marker);
  if (end === -1) throw new Error("docs/c-library.md has lost its marker");
  return `${text.slice(0, end)}${marker}${lists()}`;
}

function lists(): string {
  const headers = [...new Set(entries.flatMap(({ header }) => header ?? []))].toSorted();
  const sections = headers.map((header) => {
    const own = entries.filter((entry) => entry.header === header);
    const rows = rowsOf(own.filter(({ kind }) => kind !== "unsupported"));
    const others = own.filter(({ kind }) => kind === "unsupported").map((entry) => `\`${entryName(entry)}\``);
    const table = ["| function | memory, `errno` |", "| --- | --- |", ...rows];
    return [
      `\n## \`<${header}>\`\n`,
      ...(rows.length > 0 ? table : []),
      ...(others.length > 0 ? [`${rows.length > 0 ? "\n" : ""}Declared, not supported: ${others.join(", ")}.`] : []),
    ].join("\n");
  });
  return `${sections.join("\n")}\n`;
}

/** Functions with the same meaning share a row. */
function rowsOf(own: readonly Entry[]): string[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of own) groups.set(meaning(entry), [...(groups.get(meaning(entry)) ?? []), entry]);
  return [...groups].map(([text, [first, ...others]]) => {
    const names = [first!, ...others].map((entry) => `\`${entryName(entry)}\``).join(", ");
    const prototype = first!.prototype.replace(" __attribute__((noreturn))", "");
    return `| ${others.length === 0 ? `\`${prototype}\`` : names} | ${text} |`;
  });
}

function meaning(entry: Entry): string {
  switch (entry.kind) {
    case "operation":
      return operation(entry);
    case "source":
      return "written in C, because it calls the program";
    case "ending":
      return entry.reason === "abort" ? "the run fails" : "the run ends";
    case "input":
      return "the result is an input";
    case "lowered":
      return entry.meaning;
    case "unsupported":
      return "not supported";
    default:
      return assertNever(entry, "entry");
  }
}

function operation({ memory, errno, source, allocates, returns }: OperationEntry): string {
  const parts = memory.map(describeUse);
  if (allocates !== null) parts.push(`gives a ${allocates.zeroed ? "zeroed " : ""}block`);
  if (returns !== null) parts.push(`returns \`${returns}\``);
  if (source === "environment") parts.push("depends on the surroundings");
  for (const [name, when] of Object.entries(errno)) parts.push(`${name}: ${when}`);
  return parts.length === 0 ? "depends on its arguments alone" : parts.join("; ");
}

function describeUse(use: MemoryUse): string {
  switch (use.kind) {
    case "reads":
    case "writes":
      return `${use.kind} ${place(use.at, use.extent)}`;
    case "copies":
      return `copies ${place(use.from, use.extent)} to \`${use.to}\``;
    case "fills":
      return `fills ${place(use.at, use.extent)} with ${use.byte === 0 ? "zeroes" : `\`${use.byte}\``}`;
    case "frees":
      return `frees \`${use.at}\``;
    case "remembers":
      return "what an earlier call was given";
    default:
      return assertNever(use, "memory use");
  }
}

function place(at: string, extent: Extent): string {
  switch (extent.kind) {
    case "bytes":
      return `\`${at}[${extent.factors.join(" * ")}]\``;
    case "pointee":
      return `\`*${at}\``;
    case "string":
      return `the string \`${at}\`${extent.atMost === null ? "" : `, at most \`${extent.atMost}\` bytes`}`;
    case "format":
      return "what the format says";
    case "unbounded":
      return `\`${at}\``;
    default:
      return assertNever(extent, "extent");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, libraryPage(readFileSync(page, "utf8")));
