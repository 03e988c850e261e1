import { mcp, type Service } from "../mcp/command.ts";

/** What runs until its client goes away. */
export const services: readonly Service[] = [mcp];
