import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How to run somebody's tests under the recorder. */
export type TestCommand =
  /** The project's own vitest, started by us with the plugin in front. */
  | { readonly kind: "vitest"; readonly words: readonly string[] }
  /** Any other command; Node processes below it load the recorder first. */
  | { readonly kind: "node"; readonly words: readonly string[] };

/** `npx vitest run x`, `npm test`, `mocha`, `node --test`: what is meant. */
export function testCommand(words: readonly string[], folder: string): TestCommand {
  const script = npmScript(words, folder);
  const rest = withoutLauncher(script ?? words);
  const [program, ...args] = rest;
  if (program !== undefined && /(^|\/)vitest(\.mjs)?$/.test(program)) return { kind: "vitest", words: args };
  if (
    program !== undefined &&
    /(^|\/)_?mocha(\.js)?$/.test(program) &&
    !args.some((word) => /^(-t|--timeout)/.test(word))
  )
    // Recorded code is slower than mocha's two seconds allow.
    return { kind: "node", words: [...words, ...(script === null ? [] : ["--"]), "--timeout", "20000"] };
  return { kind: "node", words };
}

function withoutLauncher(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === "npx" || first === "bunx") {
    const start = words.findIndex((word, at) => at > 0 && !word.startsWith("-"));
    return start < 0 ? [] : words.slice(start);
  }
  if ((first === "pnpm" || first === "yarn") && second === "exec") return words.slice(2);
  if ((first === "pnpm" || first === "yarn") && second === "vitest") return words.slice(1);
  return words;
}

/** The words of `npm test` or `npm run NAME`, where the script is one simple command; null otherwise. */
function npmScript(words: readonly string[], folder: string): readonly string[] | null {
  const [manager, verb, name] = words;
  if (manager !== "npm" && manager !== "pnpm" && manager !== "yarn") return null;
  const script = verb === "test" || verb === "t" ? "test" : verb === "run" ? name : null;
  const manifest = join(folder, "package.json");
  if (script == null || !existsSync(manifest)) return null;
  const { scripts } = JSON.parse(readFileSync(manifest, "utf8")) as { scripts?: Record<string, string> };
  const text = scripts?.[script];
  if (text === undefined || /[&|;<>$`"'\\]/.test(text)) return null;
  const extra = words.slice(verb === "run" ? 3 : 2).filter((word) => word !== "--");
  return [...text.trim().split(/\s+/), ...extra];
}
