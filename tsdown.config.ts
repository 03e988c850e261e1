import { defineConfig } from "tsdown";

/**
 * One output file per source file: worker threads are then found beside the module that starts them, and the command
 * line loads only what a command needs.
 */
export default defineConfig({
  entry: ["src/index.ts", "src/cli/main.ts", "src/**/*Worker.ts"],
  format: "esm",
  platform: "node",
  target: "node20.19",
  unbundle: true,
  dts: { entry: "src/index.ts" },
  sourcemap: false,
  clean: true,
  fixedExtension: false,
  logLevel: "warn",
});
