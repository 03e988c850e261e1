import { dirname, join, normalize } from "node:path";
import type { Binding } from "../recorder/scopes.ts";
import type { Node } from "../recorder/syntax.ts";
import type { RecordedFile } from "./recordedFile.ts";

export type Globals = {
  /** Variables of files with what they hold first, in the order of the files. */
  readonly initialized: readonly InitializedGlobal[];
  /** The variable that a name stands for, in another file where it is imported. */
  origin(binding: Binding): Binding;
};

export type InitializedGlobal = {
  readonly file: RecordedFile;
  readonly binding: Binding;
  readonly name: Node;
  readonly init: Node;
  /** The declaration. */
  readonly statement: Node;
};

/** The variables at the top of the files, and which names import them. */
export function globalsOf(files: readonly RecordedFile[]): Globals {
  const initialized: InitializedGlobal[] = [];
  const exported = new Map<RecordedFile, Map<string, Binding>>();
  for (const file of files) {
    const names = new Map<string, Binding>();
    exported.set(file, names);
    for (const statement of file.program.body) {
      const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      if (declaration?.type !== "VariableDeclaration") continue;
      for (const { id, init } of declaration.declarations) {
        const binding = id?.type === "Identifier" ? file.table.bindingOf.get(id) : undefined;
        if (binding == null) continue;
        names.set(binding.name, binding);
        if (init !== null) initialized.push({ file, binding, name: id!, init, statement: declaration });
      }
    }
  }
  const origins = importedOrigins(files, exported);
  return { initialized, origin: (binding) => origins.get(binding) ?? binding };
}

function importedOrigins(
  files: readonly RecordedFile[],
  exported: ReadonlyMap<RecordedFile, ReadonlyMap<string, Binding>>,
): ReadonlyMap<Binding, Binding> {
  const origins = new Map<Binding, Binding>();
  for (const file of files) {
    const locals = new Map<string, Binding>();
    for (const binding of file.table.bindingOf.values()) {
      if (binding !== null && binding.owner === null) locals.set(binding.name, binding);
    }
    for (const statement of file.program.body) {
      if (statement.type !== "ImportDeclaration") continue;
      const source = (statement as unknown as { source: { value: string } }).source.value;
      const from = source.startsWith(".") ? fileAt(files, join(dirname(file.path), source)) : null;
      if (from === null) continue;
      for (const specifier of statement.specifiers) {
        if (specifier.type !== "ImportSpecifier") continue;
        const name = (specifier as unknown as { imported: Node }).imported.name;
        const origin = exported.get(from)?.get(name);
        const local = locals.get(specifier.local.name);
        if (origin !== undefined && local !== undefined) origins.set(local, origin);
      }
    }
  }
  return origins;
}

/** As a resolver would find it: with an ending, another one, or a folder's index. */
function fileAt(files: readonly RecordedFile[], path: string): RecordedFile | null {
  const wanted = normalize(path);
  const bare = (text: string) => text.replace(/\.[cm]?[jt]sx?$/, "");
  return (
    files.find((file) => normalize(file.path) === wanted) ??
    files.find((file) => bare(normalize(file.path)) === bare(wanted)) ??
    files.find((file) => bare(normalize(file.path)) === join(wanted, "index")) ??
    null
  );
}
