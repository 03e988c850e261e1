import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const writing =
  /^(write|append|mkdir|rm|rmdir|unlink|rename|copyFile|cp|truncate|ftruncate|symlink|link|chmod|createWriteStream)/;

/** Calls `note` before the program writes files, starts processes or opens connections to others. */
export function watchEffects(note: (effect: string) => void): void {
  const watch = (object: object, names: readonly string[], before: (self: unknown, words: unknown[]) => void): void => {
    for (const name of names) {
      const original: unknown = Reflect.get(object, name);
      if (typeof original !== "function") continue;
      const watched = function (this: unknown, ...words: unknown[]): unknown {
        before(this, words);
        return Reflect.apply(original, this, words);
      };
      Reflect.set(object, name, Object.assign(watched, original));
    }
  };
  const writers = (object: object) => Object.keys(object).filter((name) => writing.test(name));
  watch(fs, writers(fs), () => note("writes files"));
  watch(fs.promises, writers(fs.promises), () => note("writes files"));
  const starters = ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"];
  watch(childProcess, starters, () => note("starts processes"));
  // A server of the test itself that the test alone talks to goes with it.
  const own = new Set<number>();
  watch(net.Server.prototype, ["listen"], (server) => {
    if (!(server instanceof net.Server)) return;
    server.once("listening", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) own.add(address.port);
    });
  });
  watch(net.Socket.prototype, ["connect"], (_, words) => {
    if (!own.has(portOf(words))) note("uses the network");
  });
  syncBuiltinESMExports();
}

/** The port of `connect(port)`, `connect({ port })`, and of Node's own calls, which give a list. */
function portOf([first]: readonly unknown[]): number {
  const target: unknown = Array.isArray(first) ? first[0] : first;
  return Number(typeof target === "object" && target !== null && "port" in target ? target.port : target);
}
