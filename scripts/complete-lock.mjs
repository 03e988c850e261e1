// Puts optional platform packages back into package-lock.json. npm drops the ones that the registry at hand cannot
// serve, and `npm ci` then refuses the file on every machine. Their operating system, processor and C library are part
// of their names. Run it after `npm install`: node scripts/complete-lock.mjs
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const processors = ["arm64", "arm", "x64", "ia32", "ppc64", "s390x", "riscv64", "loong64", "wasm32"];

for (const [where, owner] of Object.entries(lock.packages)) {
  const beside = where.slice(0, where.lastIndexOf("node_modules/"));
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const found = [`${beside}node_modules/${name}`, `node_modules/${name}`].find((each) => each in lock.packages);
    const taken = found !== undefined && lock.packages[found].version !== version;
    const path = taken ? `${beside}node_modules/${name}` : `node_modules/${name}`;
    const words = name.split("/").at(-1).split("-");
    const cpu = processors.find((each) => words.includes(each));
    if ((found !== undefined && !taken) || cpu === undefined) continue;
    const os = systems.find((each) => words.includes(each));
    const libc = words.includes("musl") ? "musl" : words.includes("gnu") ? "glibc" : undefined;
    lock.packages[path] = {
      version,
      cpu: [cpu],
      ...(owner.dev ? { dev: true } : {}),
      ...(libc ? { libc: [libc] } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    };
    console.log(`added ${name}@${version}`);
  }
}

const [root, ...rest] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
