/** The words of a command as a POSIX shell reads them; without variables and patterns, which no build tool writes. */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: "'" | '"' | null = null;
  for (let i = 0; i < command.length; i++) {
    const c = command[i]!;
    if (quote === "'") {
      if (c === "'") quote = null;
      else word += c;
    } else if (c === "\\" && i + 1 < command.length) {
      const next = command[++i]!;
      // Between double quotes a backslash escapes only what means something there.
      word = `${word ?? ""}${quote === '"' && !/["\\$`\n]/.test(next) ? `\\${next}` : next === "\n" ? "" : next}`;
    } else if (quote === '"') {
      if (c === '"') quote = null;
      else word += c;
    } else if (c === "'" || c === '"') {
      quote = c;
      word ??= "";
    } else if (/\s/.test(c)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = `${word ?? ""}${c}`;
  }
  if (word !== null) words.push(word);
  return words;
}
