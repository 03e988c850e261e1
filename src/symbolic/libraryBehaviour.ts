/**
 * What a library function does to the program's memory and where its result comes from. Everything that
 * `src/frontend/c/lower/libraryFunctions.ts` lists is here; `docs/symbolic.md` says what is made of it.
 */
export type LibraryBehaviour = {
  /** Arguments that point to what is written; `anything`: also memory that it was not given an address of. */
  readonly writes: "nothing" | "anything" | { readonly arguments: readonly number[] } | { readonly from: number };
  /**
   * - `environment`: the result, and what is written, come from outside of the program (input, random numbers).
   * - `determined`: by the arguments and the memory that they point to.
   */
  readonly source: "environment" | "determined";
};

const table = new Map<string, LibraryBehaviour>();

function add(names: string, source: LibraryBehaviour["source"], writes: LibraryBehaviour["writes"]): void {
  for (const name of names.split(" ")) table.set(name, { source, writes });
}

const first = { arguments: [0] };
const second = { arguments: [1] };

add("$zero memset memcpy memmove strcpy strcat stpcpy strncpy strncat", "determined", first);
add("sprintf snprintf vsprintf vsnprintf", "determined", first);
add("sscanf", "determined", { from: 2 });
add("strtol strtoul strtoll strtoull strtod frexp modf", "determined", second);
// It goes on where an earlier call stopped.
add("strtok", "determined", "anything");
add("scanf", "environment", { from: 1 });
add("fscanf", "environment", { from: 2 });
add("fgets gets", "environment", first);
add("getchar fgetc getc feof ferror ungetc fflush fwrite rand srand", "environment", "nothing");
add("malloc alloca calloc realloc free strdup strndup", "determined", "nothing");
add("printf fprintf vprintf vfprintf puts putchar fputs fputc putc perror", "determined", "nothing");
add("memcmp memchr strlen strnlen strcmp strcasecmp strncmp strncasecmp", "determined", "nothing");
add("strchr strrchr strstr strpbrk strspn strcspn atoi atol atoll atof abs labs llabs", "determined", "nothing");
add(
  "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit",
  "determined",
  "nothing",
);
add("toupper tolower isascii toascii", "determined", "nothing");
add("lround lrint llround llrint ldexp", "determined", "nothing");

const mathematics =
  "sqrt fabs floor ceil round trunc rint nearbyint sin cos tan asin acos atan sinh cosh tanh exp exp2 log log2 log10 " +
  "cbrt pow fmod atan2 hypot fmin fmax fdim copysign remainder";
for (const suffix of ["", "f", "l"])
  add(
    mathematics.replaceAll(/\w+/g, (name) => name + suffix),
    "determined",
    "nothing",
  );

/** A function that is not known may write all that a pointer can reach, and its result may be anything. */
const unknownFunction: LibraryBehaviour = { source: "determined", writes: "anything" };

export function libraryBehaviour(name: string): LibraryBehaviour {
  return table.get(name) ?? unknownFunction;
}

export function isKnownFunction(name: string): boolean {
  return table.has(name);
}
