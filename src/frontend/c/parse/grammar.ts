import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";

/** A loaded tree-sitter grammar of C. Loading is the only asynchronous step of the front end. */
export type CGrammar = { readonly language: Language };

let loading: Promise<CGrammar> | undefined;

/** Loads the WebAssembly modules on the first call; later calls return the same grammar. */
export function loadCGrammar(): Promise<CGrammar> {
  loading ??= load();
  return loading;
}

async function load(): Promise<CGrammar> {
  const require = createRequire(import.meta.url);
  await Parser.init({ locateFile: () => require.resolve("web-tree-sitter/web-tree-sitter.wasm") });
  return { language: await Language.load(require.resolve("tree-sitter-c/tree-sitter-c.wasm")) };
}
