/**
 * The files that a program finds when it starts: those below one folder, by their paths relative to it (`data/in.txt`). Asked
 * twice it answers the same, so that a run can be repeated.
 */
export type FileSource = (path: string) => FoundFile;

export type FoundFile =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "folder" }
  | { readonly kind: "missing" }
  /** It may not be read, or leads out of the folder. */
  | { readonly kind: "denied" };

/** For programs that have no files. */
export const noFiles: FileSource = (path) => (path === "." ? { kind: "folder" } : { kind: "missing" });

/** Files that are given by their content. */
export function listedFiles(files: Readonly<Record<string, Uint8Array>>): FileSource {
  const folders = new Set(["."]);
  for (const name of Object.keys(files)) {
    const parts = name.split("/");
    for (let i = 1; i < parts.length; i++) folders.add(parts.slice(0, i).join("/"));
  }
  return (path) => {
    if (Object.hasOwn(files, path)) return { kind: "file", bytes: files[path]! };
    return { kind: folders.has(path) ? "folder" : "missing" };
  };
}
