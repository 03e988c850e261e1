import { spawn } from "node:child_process";
import { TracefoldError } from "../base/errors.ts";
import { isSystemError, writeWhole } from "../base/files.ts";
import { type PageContent, pageFile } from "../render/page/pageFile.ts";
import type { User } from "./command.ts";

/** Writes the page of a result. */
export async function writePage(path: string, content: PageContent): Promise<void> {
  const text = await pageFile(content);
  try {
    writeWhole(path, text);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new TracefoldError({
      code: "TF133",
      message: `--html: cannot write ${path} (${error.code})`,
      help: "Give a path in a folder that exists and may be written to.",
    });
  }
}

/** Opens a page in the user's browser. */
export async function openPage(path: string, { tell }: Pick<User, "tell">): Promise<void> {
  const [command = "", ...words] = openers[process.platform] ?? ["xdg-open"];
  const isOpen = await new Promise<boolean>((resolve) => {
    const child = spawn(command, [...words, path], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
  if (!isOpen) tell(`no browser was found (${command}): open ${path} in one`);
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};
