import { readFileSync } from "node:fs";

/** The package's version, from its package.json; sources and built files are equally deep below it. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
