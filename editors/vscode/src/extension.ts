import { spawn } from "node:child_process";
import { dirname, isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { type Finding, findingsOf, type Place, type SarifLog } from "./sarif.ts";

export function activate(context: vscode.ExtensionContext): void {
  const diagnostics = vscode.languages.createDiagnosticCollection("tracefold");
  const output = vscode.window.createOutputChannel("Tracefold");
  context.subscriptions.push(
    diagnostics,
    output,
    vscode.debug.registerDebugAdapterDescriptorFactory("tracefold", {
      createDebugAdapterDescriptor({ workspaceFolder }) {
        const [command = "npx", ...words] = commandWords();
        const options = workspaceFolder === undefined ? {} : { cwd: workspaceFolder.uri.fsPath };
        return new vscode.DebugAdapterExecutable(command, [...words, "dap"], options);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider("tracefold", {
      /** F5 without a launch.json. */
      resolveDebugConfiguration(folder, given) {
        if (given.type !== undefined) return { cwd: folder?.uri.fsPath, ...given };
        const document = vscode.window.activeTextEditor?.document;
        if (document === undefined) return undefined;
        const own = isProgram(document)
          ? { program: document.fileName, args: settings().get<string[]>("programArguments", []) }
          : { testCommand: settings().get<string>("testCommand", "npm test") };
        return { type: "tracefold", request: "launch", name: "Why does it fail?", cwd: folderOf(document), ...own };
      },
    }),
    vscode.commands.registerCommand("tracefold.explain", () => explain(diagnostics, output)),
    vscode.commands.registerCommand("tracefold.clear", () => diagnostics.clear()),
  );
}

export function deactivate(): void {}

/** Explains the failure of the open program, or of the first failing test, and shows it as diagnostics. */
async function explain(diagnostics: vscode.DiagnosticCollection, output: vscode.OutputChannel): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) {
    vscode.window.showInformationMessage("Open the C program or a file of the project first.");
    return;
  }
  await vscode.workspace.saveAll(false);
  const folder = folderOf(document);
  const words = isProgram(document)
    ? ["explain", document.fileName, "--", ...settings().get<string[]>("programArguments", [])]
    : ["explain", "--", ...settings().get<string>("testCommand", "npm test").trim().split(/\s+/)];
  const end = words.indexOf("--");
  const location = {
    location: vscode.ProgressLocation.Notification,
    title: "Explaining the failure",
    cancellable: true,
  };
  const { text, problem } = await vscode.window.withProgress(location, (_, token) =>
    run([...words.slice(0, end), "--format", "sarif", ...words.slice(end)], folder, token),
  );
  diagnostics.clear();
  const findings = text.trim().startsWith("{") ? findingsOf(JSON.parse(text) as SarifLog) : [];
  if (findings.length === 0) {
    output.replace(problem === "" ? "Nothing fails.\n" : problem);
    output.show(true);
    return;
  }
  for (const [file, all] of grouped(findings, folder)) diagnostics.set(vscode.Uri.file(file), all);
  await vscode.commands.executeCommand("workbench.actions.view.problems");
}

function grouped(findings: readonly Finding[], folder: string): ReadonlyMap<string, vscode.Diagnostic[]> {
  const found = new Map<string, vscode.Diagnostic[]>();
  for (const { level, message, place, related } of findings) {
    const diagnostic = new vscode.Diagnostic(rangeOf(place), message, severities[level]);
    diagnostic.source = "tracefold";
    diagnostic.relatedInformation = related.map(
      (each) =>
        new vscode.DiagnosticRelatedInformation(
          new vscode.Location(vscode.Uri.file(pathOf(each.place, folder)), rangeOf(each.place)),
          each.message,
        ),
    );
    const path = pathOf(place, folder);
    found.set(path, [...(found.get(path) ?? []), diagnostic]);
  }
  return found;
}

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

function rangeOf({ start, end }: Place): vscode.Range {
  return new vscode.Range(...start, ...end);
}

function pathOf({ file }: Place, folder: string): string {
  return isAbsolute(file) ? file : join(folder, file);
}

type Ran = { readonly text: string; readonly problem: string };

function run(words: readonly string[], cwd: string, token: vscode.CancellationToken): Promise<Ran> {
  const [command = "npx", ...before] = commandWords();
  return new Promise((resolve) => {
    const child = spawn(command, [...before, ...words], { cwd });
    let text = "";
    let problem = "";
    child.stdout.on("data", (data: Buffer) => {
      text += data.toString();
    });
    child.stderr.on("data", (data: Buffer) => {
      problem += data.toString();
    });
    token.onCancellationRequested(() => child.kill("SIGINT"));
    child.once("error", (error) => resolve({ text: "", problem: `${command} cannot be started: ${error.message}\n` }));
    child.once("close", () => resolve({ text, problem }));
  });
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("tracefold");
}

function commandWords(): readonly string[] {
  return settings().get<string[]>("command", ["npx", "tracefold"]);
}

function isProgram({ languageId }: vscode.TextDocument): boolean {
  return languageId === "c";
}

function folderOf({ uri, fileName }: vscode.TextDocument): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(fileName);
}
