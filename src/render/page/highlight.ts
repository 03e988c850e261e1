import { createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { type PageSource, type PageToken, tokenStyles } from "./pageData.ts";

/** Scopes of the grammars, by style. */
const scopes: Readonly<Record<(typeof tokenStyles)[number], readonly string[]>> = {
  keyword: [
    "keyword",
    "storage.modifier",
    "storage.type.function",
    "storage.type.class",
    "storage.type.js",
    "storage.type.ts",
  ],
  type: ["storage.type", "support.type", "entity.name.type", "entity.other.inherited-class", "support.class"],
  string: ["string", "punctuation.definition.string"],
  number: ["constant.numeric"],
  comment: ["comment", "punctuation.definition.comment"],
  function: ["entity.name.function", "support.function"],
  constant: ["constant.language", "constant.other", "variable.other.constant", "entity.name.function.preprocessor"],
};

const colours = tokenStyles.map((_, i) => `#0000${(i + 1).toString(16).padStart(2, "0")}`);

/** A theme whose colours are the numbers of the styles. */
const theme = {
  name: "styles",
  type: "light" as const,
  settings: [
    { settings: { foreground: "#000000", background: "#ffffff" } },
    ...tokenStyles.map((style, i) => ({ scope: [...scopes[style]], settings: { foreground: colours[i] ?? "" } })),
  ],
};

const grammars = {
  c: () => import("shiki/langs/c.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
} as const;

const grammarOf: Readonly<Record<string, keyof typeof grammars>> = {
  c: "c",
  h: "c",
  i: "c",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  jsx: "tsx",
  js: "tsx",
  mjs: "tsx",
  cjs: "tsx",
};

/** Very long files and lines stay without colours: nobody waits for them. */
const longestFile = 600_000;
const longestLine = 2_000;

type Highlighter = {
  highlight(path: string, text: string): PageSource["tokens"];
  dispose(): void;
};

/** Colours the files when a page is written, so that the page has no grammar. */
export async function highlighted(files: readonly Pick<PageSource, "path" | "text">[]): Promise<readonly PageSource[]> {
  const { highlight, dispose } = await createHighlighter(files.map(({ path }) => path));
  const coloured = files.map(({ path, text }) => ({ path, text, tokens: highlight(path, text) }));
  dispose();
  return coloured;
}

async function createHighlighter(paths: readonly string[]): Promise<Highlighter> {
  const languageOf = (path: string) => grammarOf[path.split(".").at(-1)?.toLowerCase() ?? ""];
  const languages = [...new Set(paths.flatMap((path) => languageOf(path) ?? []))];
  if (languages.length === 0) return { highlight: () => [], dispose: () => {} };
  const shiki = await createHighlighterCore({
    themes: [theme],
    langs: languages.map((language) => grammars[language]()),
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const highlight: Highlighter["highlight"] = (path, text) => {
    const lang = languageOf(path);
    if (lang === undefined || text.length > longestFile) return [];
    const lines = shiki.codeToTokensBase(text, {
      lang,
      theme: "styles",
      tokenizeMaxLineLength: longestLine,
      // No limit of time: a page does not depend on the load of the machine.
      tokenizeTimeLimit: 0,
    });
    return lines.map((tokens) => tokensOfLine(tokens));
  };
  return { highlight, dispose: () => shiki.dispose() };
}

function tokensOfLine(tokens: readonly { readonly content: string; readonly color?: string }[]): readonly PageToken[] {
  const found: PageToken[] = [];
  let at = 0;
  for (const { content, color } of tokens) {
    const style = colours.indexOf(color?.toLowerCase() ?? "");
    const last = found.at(-1);
    const end = at + content.length;
    if (style !== -1 && last !== undefined && last[2] === style && last[1] === at)
      found[found.length - 1] = [last[0], end, style];
    else if (style !== -1) found.push([at, end, style]);
    at = end;
  }
  return found;
}
