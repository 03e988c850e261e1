import { fileURLToPath } from "node:url";
import { isRecorded, transform } from "./instrument.ts";

type Loaded = { readonly format: string; readonly source?: string | ArrayBuffer | Uint8Array | null };

let directory: string | null = null;
let root = "";

/** Runs in the thread that Node keeps for hooks: the folder is all it shares with the program. */
export function initialize(data: { readonly directory: string; readonly root: string }): void {
  directory = data.directory;
  root = data.root;
}

export async function load(
  url: string,
  context: object,
  nextLoad: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await nextLoad(url, context);
  if (directory === null || loaded.format !== "module" || !url.startsWith("file:") || loaded.source == null)
    return loaded;
  const path = fileURLToPath(url.replace(/[?#].*$/, ""));
  if (!isRecorded(path, root)) return loaded;
  const source =
    typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString();
  const text = transform(directory, path, source, "module");
  return text === null ? loaded : { ...loaded, source: text.toString() };
}
