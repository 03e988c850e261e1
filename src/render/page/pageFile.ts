import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { Defect } from "../../base/errors.ts";
import { packRecording } from "../../recording/columns.ts";
import type { Recording } from "../../recording/recording.ts";
import { highlighted } from "./highlight.ts";
import { type PageData, packPage } from "./pageData.ts";

export type PageContent = {
  readonly report: PageData["report"];
  readonly explanation?: PageData["report"] | null;
  /** The texts of the files, by path. */
  readonly sources: ReadonlyMap<string, string>;
  readonly recording: Recording | null;
};

/** The data of a page, packed and compressed. */
export async function pageBytes({ report, explanation = null, sources, recording }: PageContent): Promise<Uint8Array> {
  const own = [...sources].flatMap(([path, text]) => (isOfLibrary(path) ? [] : [{ path, text }]));
  const files = await highlighted(own);
  const packed = recording === null ? null : packRecording(recording);
  const explained = explanation === null ? {} : { explanation };
  const data: PageData = { version: 1, report, ...explained, files, recording: packed?.head ?? null };
  return gzipSync(packPage(data, packed?.bytes ?? new Uint8Array()), { level: 6 });
}

/** A page as one file: it needs no network, and runs no code but its own. */
export async function pageFile(content: PageContent): Promise<string> {
  const { script, style } = pageParts();
  const bytes = await pageBytes(content);
  const policy = [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    "worker-src blob:",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titleOf(content.report))}</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. It loads nothing from a network.</noscript>
<script>${script}</script>
<script type="text/plain" id="data">${Buffer.from(bytes).toString("base64")}</script>
</body>
</html>
`;
}

function titleOf({ command, failure, program }: PageData["report"]): string {
  const { message } = (failure ?? {}) as { readonly message?: string };
  const { files } = (program ?? {}) as { readonly files?: readonly { readonly path: string }[] };
  return [message, files?.[0]?.path, `tracefold ${command}`].filter((part) => part !== undefined).join(" - ");
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"\p{Cc}]/gu, (character) => `&#${character.codePointAt(0)};`);
}

function sourceHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** The page's own script and style, which the build puts beside the command. */
function pageParts(): { readonly script: string; readonly style: string } {
  const folders = ["../page/", "./page/", "../../../dist/page/"].map((path) => new URL(path, import.meta.url));
  const folder = folders.find((each) => existsSync(fileURLToPath(new URL("page.js", each))));
  if (folder === undefined) throw new Defect("the page was not built: npm run build");
  const read = (name: string) => readFileSync(new URL(name, folder), "utf8").trim();
  // Nothing may end the script element.
  return { script: read("page.js").replaceAll("</script", "<\\/script"), style: read("page.css") };
}

function isOfLibrary(path: string): boolean {
  return /^<[^<>]*>$/.test(path);
}
