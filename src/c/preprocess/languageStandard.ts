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

/** By the name that follows `-std=`; an unknown one is the default. */
export function languageStandard(name: string | null): LanguageStandard {
  const usual = { version: "201710L", strict: false };
  if (name === null) return usual;
  const iso = isoNames[name];
  if (iso !== undefined) return { version: iso, strict: true };
  const match = /^(c|gnu)(\w+)$/.exec(name);
  const version = match === null ? undefined : versions[match[2]!];
  return version === undefined ? usual : { version, strict: match![1] === "c" };
}

/** Before C99 `inline` was GNU's, with a meaning of its own. */
export function hasGnuInline(name: string | null): boolean {
  const { version } = languageStandard(name);
  return version === null || version === "199409L";
}
