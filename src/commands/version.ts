import manifest from "../../package.json" with { type: "json" };

/** The package's version; it is part of the build. */
export const packageVersion = (): string => manifest.version;
