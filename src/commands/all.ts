import { check } from "./check/command.ts";
import type { Command, Job } from "./command.ts";
import { compress } from "./compress/command.ts";
import { doctor } from "./doctor/command.ts";
import { explain } from "./explain/command.ts";
import { explore } from "./explore/command.ts";
import { infer } from "./infer/command.ts";
import { run } from "./run/command.ts";
import { tryChange } from "./tryChange/command.ts";
import { verify } from "./verify/command.ts";

export const commands: readonly Command[] = [explain, explore, verify, infer, run, compress, check, doctor];

/** What the engine's thread can do: the commands, and work that only a session asks for. */
export const jobs: readonly Job[] = [...commands, tryChange];
