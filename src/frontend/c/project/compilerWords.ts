import { type ReadingSettings, readingSettings } from "../../project.ts";

/** What the words of a compiler's command say about a file. */
export type CompilerWords = ReadingSettings & {
  /** `-m32`. */
  readonly narrow: boolean;
  /** `-x`, where it is given. */
  readonly language: string | null;
  /** A word that changes what the program means in a way that is not modelled. */
  readonly refused: string | null;
};

const refusedWords = new Set([
  "-funsigned-char",
  "-fshort-enums",
  "-fpack-struct",
  "-fshort-wchar",
  "-mx32",
  "-imacros",
]);

/** Options whose value is a word of its own and says nothing about meaning. */
const ignoredWithValue = new Set(
  "-o -MF -MT -MQ -arch -target -isysroot --sysroot -L -l -T -u -z -G -Xlinker -Xassembler -Xpreprocessor -Xclang --param -iprefix -iwithprefix -imultilib -aux-info -wrapper -A".split(
    " ",
  ),
);

/** `paths` turns a folder of the command into one that can be opened from here. Headers are as they are written. */
export function compilerWords(words: readonly string[], paths: (path: string) => string): CompilerWords {
  const folders = { include: [] as string[], system: [] as string[], after: [] as string[], quote: [] as string[] };
  const macros = new Map<string, string | null>();
  const headers: string[] = [];
  let standard: string | null = null;
  let common = false;
  let narrow = false;
  let language: string | null = null;
  let refused: string | null = null;

  const valued: Readonly<Record<string, (value: string) => void>> = {
    "-iquote": (value) => folders.quote.push(paths(value)),
    "-isystem": (value) => folders.system.push(paths(value)),
    "-idirafter": (value) => folders.after.push(paths(value)),
    "-include": (value) => headers.push(value),
    "-I": (value) => folders.include.push(paths(value)),
    "-D": (value) => macros.set(/^[^=(]*/.exec(value)![0], value),
    "-U": (value) => macros.set(value, null),
    "-x": (value) => {
      language = value;
    },
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const option = Object.keys(valued).find((name) => word.startsWith(name));
    if (option !== undefined) valued[option]!(word === option ? (words[++i] ?? "") : word.slice(option.length));
    else if (ignoredWithValue.has(word)) i++;
    else if (word.startsWith("-std=")) standard = word.slice("-std=".length);
    else if (word === "-ansi") standard = "c90";
    else if (word === "-fcommon" || word === "-fno-common") common = word === "-fcommon";
    else if (word === "-m32" || word === "-m64") narrow = word === "-m32";
    else if (refusedWords.has(word) || word.startsWith("@")) refused = word;
  }
  return {
    ...readingSettings({
      includeFolders: [...folders.include, ...folders.system, ...folders.after],
      quoteFolders: folders.quote,
      defines: [...macros.values()].filter((define) => define !== null),
      undefines: [...macros].flatMap(([name, define]) => (define === null ? [name] : [])),
      headers,
      standard,
      common,
    }),
    narrow,
    language,
    refused,
  };
}
