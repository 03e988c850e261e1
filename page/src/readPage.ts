import { type PageData, unpackPage } from "../../src/render/page/pageData.ts";

/** Reads the data at the end of the page. */
export async function readPage(): Promise<{ readonly data: PageData; readonly recording: Uint8Array }> {
  const text = document.getElementById("data")?.textContent?.trim() ?? "";
  if (text === "") throw new Error("The page has no data: it was cut, or is still being loaded.");
  const binary = atob(text);
  const compressed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) compressed[i] = binary.charCodeAt(i);
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = unpackPage(new Uint8Array(await new Response(stream).arrayBuffer()));
  if (page.data.version !== 1)
    throw new Error(`The page has data of version ${page.data.version}, which it cannot read.`);
  return page;
}
