import { readdirSync } from "node:fs";
import { join } from "node:path";

/** `**` matches any folders, `*` and `?` match part of a name, `{a,b}` matches one of several. */
export function globPattern(glob: string): RegExp {
  const pattern = glob.replace(/^\.\//, "").replace(/\*\*\/|\*\*|[^\w/]/g, (found) => {
    const known: Readonly<Record<string, string>> = {
      ...{ "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" },
      ...(/\{[^}]*\}/.test(glob) ? { "{": "(?:", "}": ")", ",": "|" } : {}),
    };
    return known[found] ?? `\\${found}`;
  });
  return new RegExp(`^${pattern}$`);
}

/** The files below a folder that match, without installed packages; the word itself if it is no pattern. */
export function expandGlob(word: string, folder: string): readonly string[] {
  if (!/[*?{]/.test(word)) return [word];
  const pattern = globPattern(word);
  const found: string[] = [];
  const visit = (inside: string): void => {
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
      const path = `${inside}${entry.name}`;
      if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git") visit(`${path}/`);
      else if (pattern.test(path)) found.push(path);
    }
  };
  visit("");
  return found.sort();
}
