import type { SourceRange } from "../../base/sourceRange.ts";

export type ArtifactLocation = { readonly uri: string; readonly uriBaseId?: "%SRCROOT%" };

export type PhysicalLocation = {
  readonly artifactLocation: ArtifactLocation;
  readonly region: {
    readonly startLine: number;
    readonly startColumn: number;
    readonly endLine: number;
    readonly endColumn: number;
  };
};

export type SarifLocation = {
  readonly id?: number;
  readonly physicalLocation: PhysicalLocation;
  readonly logicalLocations?: readonly { readonly name: string; readonly kind: "function" }[];
  readonly message?: { readonly text: string };
};

/** SARIF's end column points behind the last character, as ours does. */
export function physicalLocation(range: SourceRange): PhysicalLocation {
  const { file, line, column, endLine, endColumn } = range;
  return {
    artifactLocation: artifactLocation(file),
    region: { startLine: line, startColumn: column, endLine, endColumn },
  };
}

/** Relative paths are relative to the root of the sources; absolute ones become `file:` addresses. */
export function artifactLocation(path: string): ArtifactLocation {
  const slashes = path.replaceAll("\\", "/");
  const encoded = slashes.split("/").map(encodeURIComponent).join("/");
  if (/^[A-Za-z]:\//.test(slashes)) return { uri: `file:///${encoded.replace(/^([A-Za-z])%3A/, "$1:")}` };
  if (slashes.startsWith("/")) return { uri: `file://${encoded}` };
  return { uri: encoded.replace(/^(\.\/)+/, ""), uriBaseId: "%SRCROOT%" };
}
