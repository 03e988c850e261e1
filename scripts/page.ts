/**
 * Serves the page while it is developed: npm run page -- REPORT, a page of `--html` or a report of `--format json`. A change
 * of the page's sources or of the report is shown at once.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createServer } from "vite";

const [given] = process.argv.slice(2);
if (given === undefined || !existsSync(given)) {
  console.error("usage: npm run page -- REPORT.html|REPORT.json");
  process.exit(2);
}
process.env.PAGE_DATA = resolve(given);
const server = await createServer({
  configFile: "page/vite.config.ts",
  server: { host: "127.0.0.1" },
  logLevel: "info",
});
await server.listen();
server.printUrls();
