import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { noticesPlugin } from "../scripts/noticesPlugin.ts";
import { pageDataPlugin } from "./pageDataPlugin.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** One script and one style without imports: the command puts them into each page that it writes. */
export default defineConfig({
  root: here,
  plugins: [pageDataPlugin(process.env.PAGE_DATA), noticesPlugin()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    lib: {
      entry: "src/main.tsx",
      name: "tracefoldPage",
      formats: ["iife"],
      fileName: () => "page.js",
      cssFileName: "page",
    },
  },
  logLevel: "warn",
});
