import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";

const mark = 'id="data">';

/** While the page is developed: the data of a page or report that the command wrote, put into the page that vite serves. */
export function pageDataPlugin(path: string | undefined): Plugin {
  return {
    name: "page-data",
    configureServer(server) {
      if (path !== undefined)
        server.watcher
          .add(path)
          .on("change", (changed) => changed === path && server.hot.send({ type: "full-reload" }));
    },
    async transformIndexHtml(html) {
      if (path === undefined) return html;
      const data = path.endsWith(".json") ? await dataOfReport(path) : dataOf(path);
      return html.replace("<!--data-->", `<script type="text/plain" ${mark}${data}</script>`);
    },
  };
}

/** The data of a page, in base64. */
export function dataOf(path: string): string {
  const page = readFileSync(path, "utf8");
  const start = page.lastIndexOf(mark);
  if (start === -1) throw new Error(`${path} is no page that tracefold wrote with --html`);
  return page.slice(start + mark.length, page.indexOf("</script>", start));
}

/** The same for a report in JSON, and the sources that it names, from a folder: a page without a recording. */
export async function dataOfReport(path: string, folder = "."): Promise<string> {
  const report = JSON.parse(readFileSync(path, "utf8"));
  const files: readonly { readonly path: string }[] = report.program?.files ?? [];
  const texts = files
    .filter((file) => existsSync(resolve(folder, file.path)))
    .map((file) => [file.path, readFileSync(resolve(folder, file.path), "utf8")] as const);
  // Only the server needs it: a build has no data.
  const { pageBytes } = await import("../src/render/page/pageFile.ts");
  const bytes = await pageBytes({ report, sources: new Map(texts), recording: null });
  return Buffer.from(bytes).toString("base64");
}
