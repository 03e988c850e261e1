import { exitCodes } from "../commands/output.ts";
import { EditorConnection } from "./connection.ts";
import { openDebugSession } from "./session.ts";

/** Serves one editor on standard input and output until it disconnects or goes away. Then all work ends. */
export async function serve(): Promise<number> {
  let isOver: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  let close: () => void = () => {};
  const connection = new EditorConnection((client) => {
    const session = openDebugSession(client, isOver);
    close = session.close;
    return session.handlers;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, isOver);
  process.stdin.once("end", isOver).once("close", isOver);
  process.stdout.once("error", isOver);
  connection.start(process.stdin, process.stdout);
  await over;
  close();
  process.exit(exitCodes.fine);
}
