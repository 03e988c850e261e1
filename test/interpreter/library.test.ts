import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { runProgram } from "../../src/interpreter/run.ts";
import { hasTool } from "../support/tools.ts";
import { runWithGcc } from "./gcc.ts";

const headers = "stdio stdlib string ctype math"
  .split(" ")
  .map((name) => `#include <${name}.h>\n`)
  .join("");

/** The program's body in both worlds: same output and exit code. */
async function expectSame(body: string, input = ""): Promise<void> {
  const source = `${headers}\nint main(void) {\n${body}\nreturn 0;\n}\n`;
  const stdin = Buffer.from(input, "latin1");
  const native = runWithGcc(source, stdin);
  const ours = runProgram(await loadCText("p.c", source), { stdin });
  expect(Buffer.from(ours.stdout).toString("latin1").split("\n")).toEqual(
    Buffer.from(native.stdout).toString("latin1").split("\n"),
  );
  expect(ours.outcome).toMatchObject({ kind: "exit", code: native.status });
}

function sample<T>(arbitrary: fc.Arbitrary<T>, count: number, seed: number): T[] {
  return fc.sample(arbitrary, { numRuns: count, seed });
}

const flags = fc.subarray(["-", "+", " ", "#", "0"]).map((chosen) => chosen.join(""));
const width = fc.oneof(fc.constant(""), fc.integer({ min: 1, max: 30 }).map(String));
const precision = fc.oneof(
  fc.constant(""),
  fc.constant("."),
  fc.integer({ min: 0, max: 25 }).map((p) => `.${p}`),
);

const integerDirective = fc
  .tuple(
    flags,
    width,
    precision,
    fc.constantFrom("hh", "h", "", "l", "ll", "j", "z", "t"),
    fc.constantFrom(..."diuxXo"),
  )
  .chain(([f, w, p, length, conversion]) => {
    const value = fc.oneof(
      fc.constantFrom(0n, 1n, -1n, 127n, 255n, -128n, 2147483647n, -2147483648n, 9223372036854775807n),
      fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }),
    );
    return value.map((v) => {
      const narrow = length === "hh" || length === "h" || length === "";
      const argument = narrow ? `(int)${BigInt.asIntN(32, v)}LL` : `(long)${v}L`;
      return `printf("[%${f}${w}${p}${length}${conversion}]\\n", ${argument});`;
    });
  });

const floatValue = fc.oneof(
  fc.constantFrom(0, -0, 0.5, 1.5, 2.5, 0.125, 1e-5, 9.9999995, 999999.5, 123456789, 1e22, 1e300, 5e-324, 0.1, 1 / 3),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.integer({ min: -100000, max: 100000 }).map((n) => n / 8),
);

/** Exactly, in C: hexadecimal with all bits. */
function cDouble(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return `bits(0x${view.getBigUint64(0).toString(16)}ULL)`;
}

const bitsFunction = `
double bits(unsigned long long b) { double d; memcpy(&d, &b, 8); return d; }
`;

async function expectSameWithBits(body: string, input = ""): Promise<void> {
  const source = `${headers}${bitsFunction}\nint main(void) {\n${body}\nreturn 0;\n}\n`;
  const stdin = Buffer.from(input, "latin1");
  const native = runWithGcc(source, stdin);
  const ours = runProgram(await loadCText("p.c", source), { stdin });
  expect(Buffer.from(ours.stdout).toString("latin1").split("\n")).toEqual(
    Buffer.from(native.stdout).toString("latin1").split("\n"),
  );
}

describe.skipIf(!hasTool("gcc"))("the C library agrees with glibc", () => {
  test("prints integers", async () => {
    await expectSame(sample(integerDirective, 400, 1).join("\n"));
  });

  test("prints floats", async () => {
    const directive = fc
      .tuple(flags, width, precision, fc.constantFrom(..."fFeEgGaA"), floatValue)
      .map(([f, w, p, conversion, value]) => `printf("[%${f}${w}${p}${conversion}]\\n", ${cDouble(value)});`);
    await expectSameWithBits(sample(directive, 500, 2).join("\n"));
    await expectSameWithBits(`
      double inf = bits(0x7ff0000000000000ULL);
      printf("%f %F %5.1e|%-8g|%08f|%+a\\n", inf, -inf, inf, inf, inf, inf);
      printf("%.400f\\n%.60e\\n", 5e-324, 1.7976931348623157e308);
      printf("%#g %#g %#g %#.1g\\n", 999999.5, 9999995.0, 0.00009999995, 9.5);`);
  });

  test("prints characters, strings, pointers and stars", async () => {
    await expectSame(`
      char buffer[40];
      printf("%c|%5c|%-5c|%s|%10s|%-10s|%.3s|%10.2s|%%\\n", 65, 66, 67, "abc", "abc", "abc", "abcdef", "abcdef");
      printf("%*d|%-*d|%.*d|%*.*f|%*s\\n", 6, 42, 6, 42, 4, 42, 8, 2, 3.14159, -8, "x");
      printf("%p|%10p|%s|%.3s\\n", (void *)0, (void *)0, (char *)0, (char *)0);
      printf("%d\\n", snprintf(buffer, 5, "%s", "overlong"));
      puts(buffer);
      printf("%d %s\\n", sprintf(buffer, "%05d-%x", 42, 255), buffer);
      printf("%d\\n", snprintf(0, 0, "%d", 12345));
      putchar('a'); putchar('\\n'); fputs("to stdout\\n", stdout); fprintf(stdout, "%d\\n", 7); fputc('z', stdout);
      printf("\\n%hhd %hd %hhu\\n", 300, 70000, -1);
    `);
  });

  test("reads with scanf", async () => {
    const formats = [
      "%d",
      "%i",
      "%u",
      "%x",
      "%o",
      "%ld",
      "%hd",
      "%3d",
      "%lf",
      "%5lf",
      "%s",
      "%4s",
      "%c",
      "%[a-f]",
      "%[^ \\n]",
      "%*d %d",
      "a%d",
      "%d%n",
    ];
    const inputs = [
      "42",
      "-17 x",
      "0x1F",
      "077",
      "+5",
      "  12abc",
      "1e3",
      "1.5e",
      "1.5e+x",
      "0x1p",
      "0x.",
      "infi",
      "1e1e1",
      "abc",
      "",
      "a9",
      "99999999999999999999",
      "-",
      "0x",
      ".5",
      "inf",
      "12,34",
      "%",
      "feed beef",
    ];
    const body = formats.flatMap((format) =>
      inputs.map(
        (text) => `{
        char s[64] = "none"; int i = -1, n = -1; long l = -1; short h = -1; double d = -1;
        ${scanCall(format, text)}
        printf("%d %d %ld %d %s %g %d\\n", r, i, l, h, s, d, n); }`,
      ),
    );
    await expectSame(body.join("\n"));
  });

  test("reads standard input", async () => {
    const input = "12 -7 word\nline two\n3.25 x last";
    await expectSame(
      `int a, b; char w[20], line[40]; double d; char c; int n;
       n = scanf("%d%d%s", &a, &b, w); printf("%d %d %d %s\\n", n, a, b, w);
       printf("%d\\n", getchar());
       printf("%s", fgets(line, 40, stdin));
       n = scanf("%lf %c", &d, &c); printf("%d %f %c\\n", n, d, c);
       c = getchar(); ungetc('q', stdin); printf("%c %c\\n", c, getchar());
       while ((n = getchar()) != EOF) putchar(n);
       printf(" %d %d %d\\n", feof(stdin) != 0, scanf("%d", &a), fgets(line, 40, stdin) == NULL);`,
      input,
    );
  });

  test("gives the numbers of rand and srand", async () => {
    const seeds = [0, 1, 42, 2147483647, -1, 123456789];
    const body = seeds.map((seed) => `srand(${seed}); for (int i = 0; i < 40; i++) printf("%d ", rand()); puts("");`);
    await expectSame(`for (int i = 0; i < 40; i++) printf("%d ", rand()); puts("");\n${body.join("\n")}`);
  });

  test("reads numbers from strings", async () => {
    const texts = [
      "0",
      "42",
      "-17",
      "+9",
      "  8x",
      "0x1f",
      "0X",
      "0xg",
      "077",
      "089",
      "zz",
      "",
      "-",
      "9223372036854775807",
      "9223372036854775808",
      "-9223372036854775809",
      "18446744073709551616",
      "1e5",
      "-.5e-3",
      "0x1.8p3",
      "inf",
      "1e400",
      "1e-400",
      "3.",
    ];
    const body = texts.map(
      (text) => `{ char *s = "${text}", *e; long v;
        for (int base = 0; base <= 36; base += 4) { if (base == 4) base = 2; v = strtol(s, &e, base); printf("%ld %d ", v, (int)(e - s)); if (base == 2) base = 4; }
        unsigned long u = strtoul(s, &e, 10); printf("%lu %d ", u, (int)(e - s));
        printf("%lld %llu %d %ld %.17g ", strtoll(s, 0, 10), strtoull(s, 0, 16), atoi(s), atol(s), atof(s));
        double d = strtod(s, &e); printf("%.17g %d\\n", d, (int)(e - s)); }`,
    );
    await expectSame(body.join("\n"));
  });

  test("computes on strings and memory", async () => {
    await expectSame(`
      char a[40] = "hello", b[40]; char *t;
      printf("%zu %zu\\n", strlen(a), strnlen(a, 3));
      strcpy(b, a); strcat(b, " world"); strncat(b, "!!!!", 2); puts(b);
      memset(a, 'x', 39); strncpy(a, "abc", 6); printf("%d %d %d %s\\n", a[3], a[5], a[6], a);
      const char *s[] = {"", "a", "ab", "b", "abc", "ABC", "\\xff", "a\\xff"};
      for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++)
        printf("%d %d %d %d ", strcmp(s[i], s[j]), strncmp(s[i], s[j], 2), strcasecmp(s[i], s[j]), memcmp(s[i], s[j], 1));
      puts("");
      printf("%s %s %s %s\\n", strchr(b, 'o'), strrchr(b, 'o'), strstr(b, "wor"), strpbrk(b, "rw"));
      printf("%d %d %d\\n", strchr(b, 'z') == 0, strstr(b, "xyz") == 0, (int)(strchr(b, 0) - b));
      printf("%zu %zu\\n", strspn("aabbc", "ab"), strcspn("aabbc", "c"));
      char line[] = ",a,,b c,d"; for (t = strtok(line, ", "); t; t = strtok(0, ", ")) printf("<%s>", t);
      memmove(b + 2, b, 5); b[7] = 0; puts(b); memcpy(a, "12345", 6); puts(a);
      printf("%s %d\\n", (char *)memchr(a, '3', 5), memchr(a, 'z', 5) == 0);
      t = strdup("copy"); puts(t); free(t); t = calloc(3, 4); printf("%d\\n", t[11]); t = realloc(t, 100); printf("%d\\n", t[3]);
    `);
  });

  test("has the same character classes", async () => {
    const names =
      "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit".split(" ");
    const calls = names.map((name) => `printf("%d ", ${name}(c) != 0);`).join(" ");
    await expectSame(`for (int c = -1; c < 256; c++) { ${calls} printf("%d %d\\n", toupper(c), tolower(c)); }`);
  });

  test("reads a format again if it has changed since the last call", async () => {
    await expectSame(
      `const char *formats[] = {"%d\\n", "%x!\\n", "%5d|\\n", "%d\\n"}; char f[16];
      for (int i = 0; i < 4; i++) { strcpy(f, formats[i]); printf(f, 255); }
      const char *scans[] = {"%d", "%*s %i", "%*s %*s %i", "%*[1] %d"}; int v;
      for (int i = 0; i < 4; i++) { strcpy(f, scans[i]); printf("%d ", sscanf("12 0x1f 077", f, &v)); printf("%d\\n", v); }`,
    );
  });

  test("computes the exact functions of <math.h>", async () => {
    const unary = "sqrt fabs floor ceil round trunc rint nearbyint".split(" ");
    const values = [...sample(floatValue, 60, 3), 0.49999999999999994, -0.5, 1.5, 2.5, -2.5, 4503599627370497];
    const calls = values.flatMap((value) => [
      ...unary.map((name) => `printf("${name} %a\\n", ${name}(fabs(${cDouble(value)})) );`),
      `printf("%a %a\\n", round(${cDouble(value)}), rint(${cDouble(value)}));`,
      `{ int e; double w; printf("%a ", frexp(${cDouble(value)}, &e)); printf("%d %a ", e, modf(${cDouble(value)}, &w)); printf("%a %a\\n", w, ldexp(${cDouble(value)}, -7)); }`,
    ]);
    const pairs = sample(fc.tuple(floatValue, floatValue), 60, 4).map(
      ([x, y]) =>
        `{ double x = ${cDouble(x)}, y = ${cDouble(y)}; if (y != 0) printf("%a %a ", fmod(x, y), remainder(x, y)); printf("%a %a %a %a\\n", fmin(x, y), fmax(x, y), fdim(x, y), copysign(x, y)); }`,
    );
    await expectSameWithBits([...calls, ...pairs].join("\n"));
  });
});

function scanCall(format: string, text: string): string {
  const quoted = JSON.stringify(text);
  const call = (...targets: string[]) => `int r = sscanf(${quoted}, "${format}", ${targets.join(", ")});`;
  if (format === "%d%n") return call("&i", "&n");
  if (format === "%ld") return call("&l");
  if (format === "%hd") return call("&h");
  if (format.endsWith("lf")) return call("&d");
  if (/s$|c$|\]$/.test(format)) return call("s");
  return call("&i");
}

test("reads and prints %I64d as on Windows; system does nothing", async () => {
  const source = `#include <stdio.h>>
#include <stdlib.h>
int main(void) { long long x; scanf("%I64d", &x); printf("%I64d|%5I64d|%d", x + 1, x / 1000000000, system("pause")); return 0; }`;
  const { stdout, outcome } = runProgram(await loadCText("p.c", source, { preprocess: "builtin" }), {
    stdin: Buffer.from("12345678901"),
  });
  expect(Buffer.from(stdout).toString()).toBe("12345678902|   12|0");
  expect(outcome.kind).toBe("exit");
});
