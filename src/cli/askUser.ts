import { createInterface } from "node:readline";
import { isatty } from "node:tty";

/** Asks a question that `y` affirms; null without a terminal. The end of the input and Ctrl-C mean no. */
export async function askOnTerminal(question: string): Promise<boolean | null> {
  return isatty(0) && isatty(2) ? askOn(question, process.stdin, process.stderr) : null;
}

export function askOn(question: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  const lines = createInterface({ input });
  output.write(`${question} (y/N) `);
  return new Promise((resolve) => {
    const no = () => lines.close();
    const answer = (line: string | null) => {
      process.off("SIGINT", no);
      if (line === null) output.write("\n");
      resolve(/^\s*y(es)?\s*$/i.test(line ?? ""));
    };
    process.on("SIGINT", no);
    lines.once("line", (line) => {
      lines.off("close", closed).close();
      answer(line);
    });
    const closed = () => answer(null);
    lines.once("close", closed);
  });
}
