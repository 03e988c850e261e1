import { dirname, resolve } from "node:path";
import { formatError, TracefoldError } from "../../base/errors.ts";
import { readGiven } from "../../base/files.ts";
import {
  type BatchTask,
  type BrokenTask,
  type ReadTasks,
  type TaskAnswer,
  type TaskCommand,
  taskAnswers,
  taskCommands,
} from "../task.ts";
import type { TaskSettings } from "./taskSettings.ts";

/** One task in each line: `{"command": "explain", "files": ["a.c"], "options": ["--inputs", "3"]}`. */
export function tasksOfLines(path: string, settings: TaskSettings): ReadTasks {
  const tasks: BatchTask[] = [];
  const broken: BrokenTask[] = [];
  for (const [i, line] of readGiven("batch", path).split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `${path}:${i + 1}`;
    try {
      tasks.push(taskOf(line, place, resolve(dirname(path)), settings));
    } catch (error) {
      if (!(error instanceof TracefoldError)) throw error;
      broken.push({ name: place, reason: formatError(error) });
    }
  }
  return { tasks, broken };
}

const fields = ["name", "command", "files", "options", "arguments", "expected"];

function taskOf(line: string, place: string, folder: string, settings: TaskSettings): BatchTask {
  const wrong = (message: string) =>
    new TracefoldError({
      code: "TF100",
      message,
      help: 'A task is {"command": "explain", "files": ["a.c"], "options": ["--inputs", "3"]}.',
    });
  let data: Readonly<Record<string, unknown>>;
  try {
    data = JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw wrong(`this is not JSON: ${(error as Error).message}`);
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw wrong("a task is an object");
  const unknown = Object.keys(data).find((key) => !fields.includes(key));
  if (unknown !== undefined) throw wrong(`a task has no field ${unknown}; there are ${fields.join(", ")}`);
  const words = (key: string): readonly string[] => {
    const value = data[key] ?? [];
    if (!Array.isArray(value) || value.some((each) => typeof each !== "string"))
      throw wrong(`${key} is a list of texts`);
    return value as readonly string[];
  };
  const command = (data.command ?? settings.command ?? "explain") as TaskCommand;
  if (!taskCommands.includes(command)) throw wrong(`command is one of ${taskCommands.join(", ")}`);
  const answers = taskAnswers[command];
  const expected = (data.expected ?? null) as TaskAnswer | null;
  if (expected !== null && !answers.includes(expected)) throw wrong(`expected is one of ${answers.join(", ")}`);
  if (words("files").length === 0 && words("arguments").length === 0 && !words("options").includes("--project"))
    throw wrong("files are missing");
  const name = data.name ?? place;
  if (typeof name !== "string") throw wrong("name is a text");
  return {
    ...{ name, command, folder, expected },
    words: [...words("files"), ...words("options"), ...settings.options],
    arguments: words("arguments"),
  };
}
