/** The part of a SARIF log of `tracefold explain` that is shown. */
export type SarifLog = { readonly runs: readonly { readonly results?: readonly SarifResult[] }[] };

type SarifResult = {
  readonly level?: "error" | "warning" | "note" | "none";
  readonly message: { readonly text?: string };
  readonly locations?: readonly SarifLocation[];
  readonly relatedLocations?: readonly SarifLocation[];
};

type SarifLocation = {
  readonly physicalLocation?: {
    readonly artifactLocation?: { readonly uri?: string };
    readonly region?: {
      readonly startLine?: number;
      readonly startColumn?: number;
      readonly endLine?: number;
      readonly endColumn?: number;
    };
  };
  readonly message?: { readonly text?: string };
};

/** A place in a file; lines and columns count from 0, as in the editor. */
export type Place = {
  readonly file: string;
  readonly start: readonly [line: number, column: number];
  readonly end: readonly [line: number, column: number];
};

export type Finding = {
  readonly level: "error" | "warning" | "information";
  readonly message: string;
  readonly place: Place;
  readonly related: readonly { readonly message: string; readonly place: Place }[];
};

export function findingsOf(log: SarifLog): readonly Finding[] {
  return log.runs.flatMap(({ results = [] }) => results.flatMap(findingOf));
}

function findingOf({ level, message, locations = [], relatedLocations = [] }: SarifResult): readonly Finding[] {
  const place = locations[0] === undefined ? null : placeOf(locations[0]);
  if (place === null) return [];
  const related = relatedLocations.flatMap((each) => {
    const at = placeOf(each);
    return at === null ? [] : [{ message: each.message?.text ?? "", place: at }];
  });
  const shown = level === "error" || level === "warning" ? level : level === undefined ? "warning" : "information";
  return [{ level: shown, message: message.text ?? "", place, related }];
}

function placeOf({ physicalLocation }: SarifLocation): Place | null {
  const { artifactLocation, region } = physicalLocation ?? {};
  if (artifactLocation?.uri === undefined) return null;
  const { startLine = 1, startColumn = 1, endLine = startLine, endColumn } = region ?? {};
  const last = endColumn ?? Number.MAX_SAFE_INTEGER;
  return {
    file: decodeURIComponent(artifactLocation.uri),
    start: [startLine - 1, startColumn - 1],
    end: [endLine - 1, last - 1],
  };
}
