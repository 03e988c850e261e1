#!/usr/bin/env node
import { commandLine } from "./commandLine.ts";
import { reportFailure } from "./reportFailure.ts";

const argv = process.argv.slice(2);
process.exitCode = await commandLine(argv).catch((error: unknown) => reportFailure(error, argv.includes("--debug")));
