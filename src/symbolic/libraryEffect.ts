import type { CallLibrary } from "../ir/operation.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import { havocPointee } from "./accessMemory.ts";
import { objectInAddress, type Scope } from "./scope.ts";
import { type SymbolicState, write, writeAll } from "./symbolicState.ts";
import type { Surroundings } from "./symbolicStep.ts";
import { translateExpression } from "./translateExpression.ts";

/** Library functions that write no memory of the program: only their result is unknown. */
const reading = new Set(
  (
    "printf fprintf puts putchar fputs fputc putc fflush getchar fgetc getc memcmp memchr strlen strcmp strncmp strchr " +
    "strrchr strstr strspn strcspn atoi atol atoll atof rand srand free getenv time clock " +
    "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper " +
    "sqrt fabs floor ceil pow fmod sin cos tan exp log log2 log10 round trunc"
  ).split(" "),
);

const allocating = new Set(["malloc", "calloc", "alloca", "realloc", "strdup"]);

/** What a library call does to the state: exactly for a few, otherwise unknown results and unknown memory. */
export function callLibrary(
  scope: Scope,
  operation: CallLibrary,
  tag: number,
  surroundings: Surroundings,
): SymbolicState {
  const args = operation.arguments.map((argument) => translateExpression(scope, argument));
  const state = effect(scope, operation, args, tag);
  if (operation.target === null) return state;
  const place = scope.symbols.register(scope.frame, operation.target);
  const type = scope.symbols.program.variables[operation.target]!.type as ScalarType;
  return write(state, place, result(scope, operation, args, type, surroundings));
}

function result(
  scope: Scope,
  operation: CallLibrary,
  args: readonly Term[],
  type: ScalarType,
  surroundings: Surroundings,
): Term {
  const { terms } = scope.symbols;
  const [first, second] = args;
  switch (operation.name) {
    case "abs":
    case "labs":
    case "llabs":
      return terms.ite(terms.ge(first!, terms.int(0n)), first!, terms.neg(first!));
    case "memset":
    case "memcpy":
    case "memmove":
    case "strcpy":
    case "strncpy":
    case "strcat":
    case "strncat":
      return first!;
    case "malloc":
    case "alloca":
      return surroundings.allocate(first!, scope.range).base;
    case "calloc":
      return surroundings.allocate(terms.mul(first!, second!), scope.range).base;
    default:
      return surroundings.result(operation, type, scope.range);
  }
}

function effect(scope: Scope, operation: CallLibrary, args: readonly Term[], tag: number): SymbolicState {
  const [first, second, third] = args;
  switch (operation.name) {
    case "$zero":
      return fillWithZero(scope, first!, second!, tag);
    case "memset":
      if (second?.kind === "int" && second.value === 0n) return fillWithZero(scope, first!, third!, tag);
      return havocPointee(scope, first!, tag);
    case "memcpy":
    case "memmove":
    case "strcpy":
    case "strncpy":
    case "strcat":
    case "strncat":
    case "sprintf":
    case "snprintf":
    case "fgets":
      return havocPointee(scope, first!, tag);
    case "abs":
    case "labs":
    case "llabs":
      return scope.state;
    case "scanf":
    case "sscanf":
      return args.reduce((state, address) => havocPointee({ ...scope, state }, address, tag), scope.state);
    default:
      if (reading.has(operation.name) || allocating.has(operation.name)) return scope.state;
      // Anything else may write whatever it was given an address of.
      return args.reduce(
        (state, argument, i) =>
          operation.arguments[i]!.type.kind === "pointer" ? havocPointee({ ...scope, state }, argument, tag) : state,
        scope.state,
      );
  }
}

function fillWithZero(scope: Scope, address: Term, size: Term, tag: number): SymbolicState {
  const { symbols } = scope;
  const object = objectInAddress(symbols, address);
  const whole =
    object !== null &&
    address === object.base &&
    size.kind === "int" &&
    object.size !== null &&
    size.value >= object.size;
  if (!whole || object.regions === null) return havocPointee(scope, address, tag);
  return writeAll(
    scope.state,
    object.regions.map((region) => {
      const zero = region.type.kind === "float" ? symbols.floatConstant(0) : symbols.terms.int(0n);
      return [symbols.region(object, region), region.count === 1 ? zero : symbols.terms.constantArray(zero)];
    }),
  );
}
