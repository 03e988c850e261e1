import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { PageData } from "../../src/render/page/pageData.ts";
import { builtCli, root } from "./builtCli.ts";

/** The page and the JSON that one run of a command wrote. */
export type WrittenPage = {
  readonly html: string;
  readonly json: string;
  readonly report: PageData["report"] & { readonly program: { readonly files: readonly { readonly path: string }[] } };
};

/** Runs a command in the root of the repository; `base` is the path of its files without their extensions. */
export function pageOf(base: string, words: readonly string[]): Promise<WrittenPage> {
  const [html, json] = [`${base}.html`, `${base}.json`];
  const all = [builtCli(), ...words, "--html", html, "--format", "json", "--out", json];
  return new Promise((resolve, reject) => {
    // The exit status says that the program is wrong: only a page that was not written is an error.
    execFile(process.execPath, all, { cwd: root }, (error, _, complaint) => {
      if (error !== null && (typeof error.code !== "number" || ![0, 1, 3].includes(error.code)))
        reject(new Error(complaint || String(error)));
      else resolve({ html, json, report: JSON.parse(readFileSync(json, "utf8")) });
    });
  });
}
