import { Command, CommanderError, Option } from "commander";
import { exitCodes } from "./exitCodes.ts";
import type { CheckFlags } from "./options/checkOptions.ts";
import type { CompressFlags } from "./options/compressOptions.ts";
import type { ExplainFlags } from "./options/explainOptions.ts";
import type { RunFlags } from "./options/runOptions.ts";
import { openOutput } from "./output.ts";
import { packageVersion } from "./version.ts";

/** Parses the arguments and does what they say; the result is the exit code. What follows `--` is the program's own. */
export async function commandLine(argv: readonly string[]): Promise<number> {
  let code: number = exitCodes.fine;
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const programArguments = argv.slice(end + 1);
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
  const done = (result: number) => {
    code = result;
  };
  addExplain(program, programArguments, done);
  addRun(program, programArguments, done);
  addCompress(program, programArguments, done);
  addCheck(program, done);
  try {
    await program.parseAsync(argv.slice(0, end), { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.inputIsWrong;
  }
}

function addExplain(program: Command, programArguments: readonly string[], done: (code: number) => void): void {
  const command = program
    .command("explain")
    .description("say why a run fails: the statements that matter and the facts between them, with proof");
  addProgramOptions(command)
    .option("--witness <path>", "the run that an SV-COMP violation witness (2.x) describes")
    .option("--cbmc-trace <path>", "the failing run in what cbmc --trace --json-ui printed")
    .option("--property <name>", "which failing property of --cbmc-trace")
    .option("--target <condition>", "explain why a condition holds before a line: 'x >= 0 @ file.c:12'")
    .option("--all", "everything that was found, not only what fits on a screen")
    .option("--verbose", "list the notes")
    .option("--flow-sensitive", "the complete form: every statement and condition that the failure follows from")
    .option("--no-shrink", "do not look for a smaller failing run")
    .addOption(
      new Option("--candidates <set>", "what loop invariants are made of: the paper's candidates, or more")
        .choices(["canonical", "extended"])
        .default("extended"),
    )
    .addOption(solverOption("who searches for the explanation"))
    .option("--check", "check every answer of the solver")
    .option("--dump <what...>", "smt DIR: write every question to the solver");
  addOutputOptions(command, ["text", "json", "sarif", "witness", "invariants"]).action(
    async (files: string[], flags: ExplainFlags) => {
      const { explainCommand } = await import("./explainCommand.ts");
      done(await explainCommand(files, programArguments, flags));
    },
  );
}

function addRun(program: Command, programArguments: readonly string[], done: (code: number) => void): void {
  const command = program.command("run").description("run a C program, say how the run ends, and what it read");
  addProgramOptions(command)
    .option("--trace", "print each step")
    .addOption(new Option("--dump <what>", "print the program model instead of running").choices(["ir"]));
  addOutputOptions(command).action(async (files: string[], flags: RunFlags) => {
    const { runCommand } = await import("./runCommand.ts");
    done(await runCommand(files, programArguments, flags));
  });
}

function addCompress(program: Command, programArguments: readonly string[], done: (code: number) => void): void {
  const command = program
    .command("compress")
    .description("fold the loops of a failing run into invariants, with proof");
  addProgramOptions(command)
    .option("--error-flag", "an error sets err = 1 and the run goes on; the target is err == 1 at its end")
    .addOption(
      new Option("--candidates <set>", "what invariants are made of: the paper's candidates, or more")
        .choices(["canonical", "extended"])
        .default("extended"),
    )
    .addOption(solverOption("who searches for invariants"))
    .option("--proof <folder>", "write the proof there: SMT-LIB scripts, a Coq file, and what check reads")
    .option("--check", "check every answer of the solver")
    .option("--dump <what...>", "smt DIR: write every question to the solver")
    .option("--full", "print every step that is left, however many");
  addOutputOptions(command).action(async (files: string[], flags: CompressFlags) => {
    const { compressCommand } = await import("./compressCommand.ts");
    done(await compressCommand(files, programArguments, flags));
  });
}

function addCheck(program: Command, done: (code: number) => void): void {
  const command = program
    .command("check")
    .description("check a proof that compress wrote, from the program alone")
    .argument("<path>", "the proof's folder, or the proof.json in it")
    .addOption(solverOption("who checks; auto takes cvc5, then z3, then the embedded solver"))
    .option("--timeout <seconds>", "give up after so many seconds");
  addOutputOptions(command).action(async (path: string, flags: CheckFlags) => {
    const { checkCommand } = await import("./checkCommand.ts");
    done(await checkCommand(path, flags));
  });
}

/** Which program, and which run of it. */
function addProgramOptions(command: Command): Command {
  const repeated = (value: string, earlier: readonly string[]) => [...earlier, value];
  return command
    .usage("[options] <files...> [-- arguments...]")
    .argument("[files...]", "the program's C files, or preprocessed ones (.i); its own arguments come after --")
    .option("--project <path>", "read the files as a compile_commands.json (or the one in a folder) says")
    .option("--inputs <values>", "values for nondeterministic reads, in order: 3,0,-7")
    .option("--inputs-file <path>", "the same from a file")
    .option("--random-inputs", "random values when the given ones are used up")
    .option("--seed <n>", "what random inputs start from", "1")
    .option("--stdin <path>", "the program's standard input (- for this command's)")
    .option("--entry <name>", "the function to run", "main")
    .addOption(new Option("--data-model <name>", "sizes of types").choices(["LP64", "ILP32"]).default("LP64"))
    .addOption(new Option("--ub <mode>", "undefined overflow and shifts").choices(["error", "wrap"]).default("error"))
    .addOption(
      new Option("--uninitialized <mode>", "what memory and variables that nothing was written to hold")
        .choices(["error", "input"])
        .default("error"),
    )
    .addOption(
      new Option("--undefined <mode>", "functions and variables that no file defines")
        .choices(["error", "input"])
        .default("error"),
    )
    .addOption(
      new Option("--subobject-bounds <mode>", "are indices outside of an array inside of a struct or array undefined")
        .choices(["on", "off"])
        .default("on"),
    )
    .option("--max-steps <n>", "end the run after so many steps", "50000000")
    .option("--timeout <seconds>", "end the work after so many seconds")
    .option("-I, --include <folder>", "look for included files here", repeated, [])
    .option("-D, --define <macro>", "define a macro: NAME or NAME=VALUE", repeated, [])
    .addOption(
      new Option("--preprocess <how>", "who preprocesses").choices(["auto", "builtin", "gcc"]).default("auto"),
    );
}

function addOutputOptions(command: Command, formats: readonly string[] = ["text", "json"]): Command {
  return command
    .addOption(new Option("--format <format>", "how to print the result").choices([...formats]).default("text"))
    .option("--out <path>", "write the result to a file")
    .option("--quiet", "print only what is wrong")
    .addOption(new Option("--debug", "print stack traces of defects").hideHelp());
}

function solverOption(description: string): Option {
  return new Option("--solver <name>", description).choices(["auto", "wasm", "z3", "cvc5"]).default("auto");
}
