import type { Service } from "../commands/service.ts";
import { dap } from "../dap/command.ts";
import { mcp } from "../mcp/command.ts";

/** What runs until its client goes away. */
export const services: readonly Service[] = [mcp, dap];
