import { batch } from "../batch/command.ts";
import { worker } from "../batch/queue/command.ts";
import { ci } from "../ci/command.ts";
import type { Service } from "../commands/service.ts";
import { dap } from "../dap/command.ts";
import { mcp } from "../mcp/command.ts";

/** What has its own way of asking the engine. */
export const services: readonly Service[] = [mcp, dap, ci, batch, worker];
