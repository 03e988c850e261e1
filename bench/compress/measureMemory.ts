import { recordModelled } from "./modelled.ts";
import { compressedRow } from "./row.ts";

/** Compresses a run of at least so many steps and prints the peak of the process's resident memory, as JSON. */
const wanted = Number(process.argv[2]);
const stepsOfRound = 10.14;
const ours = compressedRow(await recordModelled("client", Math.ceil(wanted / stepsOfRound)));
console.log(JSON.stringify({ recorded: ours.steps, megabytes: process.resourceUsage().maxRSS / 1024 }));
