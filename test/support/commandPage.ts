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

/** Runs a command; `base` is the path of its files without their extensions. */
export function pageOf(base: string, words: readonly string[], from = root): Promise<WrittenPage> {
  const [html, json] = [`${base}.html`, `${base}.json`];
  const at = words.includes("--") ? words.indexOf("--") : words.length;
  const [own, others] = [words.slice(0, at), words.slice(at)];
  const all = [builtCli(), ...own, "--html", html, "--format", "json", "--out", json, ...others];
  return new Promise((resolve, reject) => {
    // The exit status says that the program is wrong: only a page that was not written is an error.
    execFile(process.execPath, all, { cwd: from }, (error, _, complaint) => {
      if (error !== null && (typeof error.code !== "number" || ![0, 1, 3].includes(error.code)))
        reject(new Error(complaint || String(error)));
      else resolve({ html, json, report: JSON.parse(readFileSync(json, "utf8")) });
    });
  });
}
