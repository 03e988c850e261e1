import type { Command } from "./command.ts";
import { check } from "./commands/check.ts";
import { compress } from "./commands/compress.ts";
import { explain } from "./commands/explain.ts";
import { explore } from "./commands/explore.ts";
import { infer } from "./commands/infer.ts";
import { run } from "./commands/run.ts";
import { verify } from "./commands/verify.ts";

/** All commands, in the order of `tracefold --help`. */
export const commands: readonly Command[] = [explain, explore, verify, infer, run, compress, check];
