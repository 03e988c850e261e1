#!/usr/bin/env node
import { reportFailure } from "./askEngine.ts";
import { commandLine } from "./commandLine.ts";

const argv = process.argv.slice(2);
process.exitCode = await commandLine(argv).catch((error: unknown) => reportFailure(error, argv.includes("--debug")));
