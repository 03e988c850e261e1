import { defineConfig } from "vitest/config";
import { testSettings } from "./vitest.config.ts";

/** What takes minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    ...testSettings,
    reporters: [...testSettings.reporters],
    testTimeout: 3_600_000,
    include: ["test/**/*.long.ts"],
  },
});
