import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A plugin of the bundlers: writes the licences of all packages whose code went into the bundle to NOTICES.txt. */
export function noticesPlugin() {
  const folders = new Set<string>();
  return {
    name: "notices",
    renderChunk(_: string, chunk: { readonly modules: Readonly<Record<string, unknown>> }): null {
      for (const id of Object.keys(chunk.modules)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0].replace(/^\0/, "");
        if (folder !== undefined) folders.add(folder);
      }
      return null;
    },
    generateBundle(this: { emitFile(file: { type: "asset"; fileName: string; source: string }): unknown }): void {
      const notices = [...folders].sort().map(noticeOf);
      this.emitFile({ type: "asset", fileName: "NOTICES.txt", source: notices.join("\n") });
    },
  };
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}\n\n`;
}
