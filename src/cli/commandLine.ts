import { Command, CommanderError, Option } from "commander";
import { exitCodes } from "./exitCodes.ts";
import type { RunFlags } from "./options/runOptions.ts";
import { openOutput } from "./output.ts";
import { packageVersion } from "./version.ts";

/** Parses the arguments and does what they say; the result is the exit code. */
export async function commandLine(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.fine;
  const program = new Command("tracefold")
    .description("Folds a failing run into the reason it fails.")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpCommand(false)
    .showHelpAfterError("tracefold --help lists the commands and options.")
    .configureOutput({
      writeOut: (text) => openOutput(1).write(text),
      writeErr: (text) => openOutput(2).write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "tracefold: ")),
    })
    .exitOverride();
  addRun(program, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.inputIsWrong;
  }
}

function addRun(program: Command, done: (code: number) => void): void {
  const repeated = (value: string, earlier: readonly string[]) => [...earlier, value];
  program
    .command("run")
    .description("run a C program, say how the run ends, and what it read")
    .argument("<file>", "a C file, or a preprocessed one (.i)")
    .argument("[arguments...]", "the program's own arguments, after --")
    .option("--inputs <values>", "values for nondeterministic reads, in order: 3,0,-7")
    .option("--inputs-file <path>", "the same from a file")
    .option("--random-inputs", "random values when the given ones are used up")
    .option("--seed <n>", "what --random-inputs start from", "1")
    .option("--stdin <path>", "the program's standard input (- for this command's)")
    .option("--entry <name>", "the function to run", "main")
    .addOption(new Option("--data-model <name>", "sizes of types").choices(["LP64", "ILP32"]).default("LP64"))
    .addOption(new Option("--ub <mode>", "undefined overflow and shifts").choices(["error", "wrap"]).default("error"))
    .addOption(
      new Option("--uninitialized <mode>", "what a local variable without initialiser holds")
        .choices(["error", "input"])
        .default("error"),
    )
    .option("--max-steps <n>", "end the run after so many steps", "50000000")
    .option("--timeout <seconds>", "end the run after so many seconds")
    .option("--trace", "print each step")
    .addOption(new Option("--dump <what>", "print the program model instead of running").choices(["ir"]))
    .option("-I, --include <folder>", "look for included files here", repeated, [])
    .option("-D, --define <macro>", "define a macro: NAME or NAME=VALUE", repeated, [])
    .addOption(new Option("--preprocess <how>", "who preprocesses").choices(["auto", "builtin", "gcc"]).default("auto"))
    .addOption(new Option("--format <format>", "how to print the result").choices(["text", "json"]).default("text"))
    .option("--out <path>", "write the result to a file")
    .option("--quiet", "print only what is wrong")
    .addOption(new Option("--debug", "print stack traces of defects").hideHelp())
    .action(async (file: string, programArguments: string[], flags: RunFlags) => {
      const { runCommand } = await import("./runCommand.ts");
      done(await runCommand(file, programArguments, flags));
    });
}
