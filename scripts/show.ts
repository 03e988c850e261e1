import { readFileSync, writeFileSync } from "node:fs";
import { runShown } from "../test/support/shownCommands.ts";

/** npm run show -- FILE.md…: puts the real output below each command of the console blocks. Look at the difference. */
for (const path of process.argv.slice(2)) {
  const text = readFileSync(path, "utf8");
  const updated = text.replaceAll(/```console\n([\s\S]*?)```/g, (_, body: string) => {
    const commands = body.split("\n").filter((line) => line.startsWith("$ "));
    return `\`\`\`console\n${commands.map((line) => `${line}\n${runShown(line.slice(2))}`).join("")}\`\`\``;
  });
  if (updated !== text) writeFileSync(path, updated);
}
