import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { startCli } from "./support.ts";

/** A Redis on loopback that keeps an append-only file. */
export async function startRedis(folder: string) {
  const port = await freePort();
  mkdirSync(join(folder, "redis"), { recursive: true });
  const url = `redis://127.0.0.1:${port}`;
  const start = async () => {
    const words = ["--port", `${port}`, "--bind", "127.0.0.1", "--appendonly", "yes", "--save", ""];
    const child = spawn("redis-server", [...words, "--dir", join(folder, "redis")], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    for await (const text of child.stdout) {
      said += text;
      if (said.includes("Ready to accept connections")) break;
    }
    return child;
  };
  let child = await start();
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    ...{ url, port, stop, id: () => child.pid ?? 0 },
    async restart() {
      await stop();
      child = await start();
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Workers of a queue, each in a process of its own. */
export function startWorkers(url: string, folder: string) {
  const all: ReturnType<typeof startCli>[] = [];
  return {
    all,
    start() {
      const each = startCli(["worker", "--queue", url, "--workers", "1"], folder);
      all.push(each);
      return each;
    },
    async end() {
      for (const { child } of all) child.kill("SIGKILL");
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

export const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

/** The number of complete lines of a file. */
export function linesIn(path: string): number {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}
