import { benchModelled } from "./compress/modelled.ts";
import { benchPublished } from "./compress/published.ts";
import { benchScale } from "./compress/scale.ts";

/**
 * Loop compression beside the published figures (000, Tables I and II): programs of the published structure, ratios of
 * scale, and with `--programs DIR` the SV-COMP files themselves, found by name below DIR. `--quick` leaves out the long
 * runs. The exit code is 1 where a limit is missed or a row is worse than the published one.
 */
export async function run(args: readonly string[]): Promise<void> {
  const quick = args.includes("--quick");
  const folder = args.includes("--programs") ? (args[args.indexOf("--programs") + 1] ?? "") : null;
  const missed = [
    ...(await benchModelled(quick ? [4, 8, 32, 320] : [4, 8, 32, 320, 3_200, 32_000])),
    ...(await benchScale(quick)),
    ...(folder === null ? [] : benchPublished(folder, quick ? 5_000 : 20_000)),
  ];
  console.log(missed.length === 0 ? "\nno limit missed" : `\nmissed:\n  ${missed.join("\n  ")}`);
  if (missed.length > 0) process.exitCode = 1;
}
