/** A command shown in a Markdown file with the output shown below it. */
export type ShownCommand = { readonly command: string; readonly output: string; readonly line: number };

/** The commands of ```` ```console ```` blocks: `$ command`, then its output up to the next command. */
export function consoleCommands(markdown: string): ShownCommand[] {
  const commands: ShownCommand[] = [];
  for (const { lines, first } of blocks(markdown, "console")) {
    let current: { command: string; output: string[]; line: number } | null = null;
    const flush = () => {
      if (current) commands.push({ ...current, output: current.output.map((line) => `${line}\n`).join("") });
    };
    for (const [index, line] of lines.entries()) {
      if (line.startsWith("$ ")) {
        flush();
        current = { command: line.slice(2), output: [], line: first + index };
      } else if (current) {
        current.output.push(line);
      }
    }
    flush();
  }
  return commands;
}

/** The lines of ```` ```sh ```` blocks: commands to copy, whose output is not shown. */
export function shellLines(markdown: string): string[] {
  return blocks(markdown, "sh").flatMap(({ lines }) => lines.filter((line) => line !== "" && !line.startsWith("#")));
}

function blocks(markdown: string, language: string): { readonly lines: string[]; readonly first: number }[] {
  const result: { lines: string[]; first: number }[] = [];
  let open: { lines: string[]; first: number; wanted: boolean } | null = null;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (!line.startsWith("```")) open?.lines.push(line);
    else if (open === null) open = { lines: [], first: index + 2, wanted: line.slice(3).trim() === language };
    else {
      if (open.wanted) result.push({ lines: open.lines, first: open.first });
      open = null;
    }
  }
  return result;
}
