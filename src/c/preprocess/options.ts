import { nth } from "../../base/checked.ts";
import type { SourceFile } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { DataModelName } from "../../ir/type.ts";
import type { Tokens } from "./tokens.ts";

export type PreprocessOptions = {
  /** Header folders in order (`-I`). */
  readonly includePaths?: readonly string[];
  /** Folders searched first for headers in quotes (`-iquote`). */
  readonly quotePaths?: readonly string[];
  /** `NAME` or `NAME=VALUE` (`-D`). */
  readonly defines?: readonly string[];
  /** Predefined macros to remove (`-U`). */
  readonly undefines?: readonly string[];
  /** Headers read before the file (`-include`). */
  readonly headers?: readonly string[];
  /** `c99`, `gnu11`, …: see `languageStandard`. */
  readonly standard?: string | null;
  readonly dataModel: DataModelName;
  /** Which standard headers; `auto`: `builtin` unless a header is missing and gcc is installed. */
  readonly mode?: "auto" | "builtin" | "gcc";
  /** The text of a file; null if there is none. */
  readonly readFile: (path: string) => string | null;
};

/** A remark about preprocessing that is not an error: a `#warning`, the use of gcc's headers. */
export type PreprocessNote = { readonly message: string; readonly range: SourceRange | undefined };

export type PreprocessedSource = {
  readonly tokens: Tokens;
  readonly files: readonly SourceFile[];
  readonly notes: readonly PreprocessNote[];
  /** The origin of the standard headers; `nobody` if the file came preprocessed. */
  readonly by: "builtin" | "gcc" | "nobody";
};

/** The effects of `-std` on a file. */
export type LanguageStandard = {
  /** The value of `__STDC_VERSION__`; null for standards without it. */
  readonly version: string | null;
  /** Without GNU's own names: `linux` may be a variable. */
  readonly strict: boolean;
};

const versions: Readonly<Record<string, string | null>> = {
  "89": null,
  "90": null,
  "99": "199901L",
  "9x": "199901L",
  "11": "201112L",
  "1x": "201112L",
  "17": "201710L",
  "18": "201710L",
  "23": "202000L",
  "2x": "202000L",
};

const isoNames: Readonly<Record<string, string | null>> = {
  "iso9899:1990": null,
  "iso9899:199409": "199409L",
  "iso9899:1999": "199901L",
  "iso9899:2011": "201112L",
  "iso9899:2017": "201710L",
  "iso9899:2018": "201710L",
};

/** `name` follows `-std=`; an unknown one means the default. */
export function languageStandard(name: string | null): LanguageStandard {
  const usual = { version: "201710L", strict: false };
  if (name === null) return usual;
  const iso = isoNames[name];
  if (iso !== undefined) return { version: iso, strict: true };
  const match = /^(c|gnu)(\w+)$/.exec(name);
  const version = match === null ? undefined : versions[nth(match, 2)];
  return version === undefined ? usual : { version, strict: match![1] === "c" };
}

/** Before C99 `inline` had GNU's meaning. */
export function hasGnuInline(name: string | null): boolean {
  const { version } = languageStandard(name);
  return version === null || version === "199409L";
}
