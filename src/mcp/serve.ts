import { Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { exitCodes } from "../commands/output.ts";
import { createServer } from "./server.ts";
import { openSession, type SessionSettings } from "./session.ts";
import { createWorkQueue } from "./workQueue.ts";
import { openWorkspace } from "./workspace.ts";

/** Serves one client on standard input and output until it goes away. Then all work ends. */
export async function serve(settings: SessionSettings): Promise<number> {
  const workspace = openWorkspace(settings.root);
  // Programs and tests name their files from here.
  process.chdir(workspace.root);
  const queue = createWorkQueue(settings.seconds);
  try {
    const server = createServer(openSession(settings, workspace, queue));
    const isOver = new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
      process.stdin.once("end", () => resolve()).once("close", () => resolve());
      process.stdout.once("error", () => resolve());
      server.onclose = resolve;
    });
    await server.connect(new StdioServerTransport(process.stdin, protocolOutput()));
    await isOver;
  } finally {
    queue.close();
  }
  process.exit(exitCodes.fine);
}

/** Standard output for the protocol alone. What a library prints goes to standard error. */
function protocolOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({
    write(chunk: Buffer, _, done) {
      write(chunk, done);
    },
  });
}
