import { describe, expect, it } from "vitest";
import { loadCText } from "../../../src/c/cFrontEnd.ts";
import { libraryFiles } from "../../../src/c/library/libraryFiles.ts";
import { runProgram } from "../../../src/interpreter/run.ts";
import { runWithGcc } from "../../interpreter/gcc.ts";
import { hasTool } from "../../support/tools.ts";

/** The functions of the library that are written in C against glibc's, whose local time is to be UTC. */
const programs: Readonly<Record<string, string>> = {
  callback: `#include <stdio.h>
#include <stdlib.h>
static int order(const void *a, const void *b) { return *(const int *)a / 10 - *(const int *)b / 10; }
int main(void) {
  int all[] = { 31, 12, 19, 55, 11, 38, 50, 2 }, key = 50;
  qsort(all, 8, sizeof *all, order);
  for (int i = 0; i < 8; i++) printf("%d ", all[i]);
  int *found = bsearch(&key, all, 8, sizeof *all, order);
  printf("%d\\n", found == 0 ? -1 : *found / 10);
}`,
  quotients: `#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>
int main(void) {
  for (int n = -7; n <= 7; n += 7) for (int d = -3; d <= 3; d += 3) {
    if (d == 0) continue;
    div_t a = div(n, d);
    ldiv_t b = ldiv(n, d);
    lldiv_t c = lldiv(n * 10000000000LL, d);
    imaxdiv_t e = imaxdiv(n, d);
    printf("%d %d %ld %ld %lld %lld %d %d\\n", a.quot, a.rem, b.quot, b.rem, c.quot, c.rem, (int)e.quot, (int)e.rem);
  }
}`,
  signals: `#include <stdio.h>
#include <signal.h>
static int seen;
static void handle(int number) { seen += number; }
int main(void) {
  printf("%d ", signal(SIGINT, handle) == SIG_DFL);
  printf("%d ", signal(SIGINT, handle) == handle);
  int raised = raise(SIGINT);
  printf("%d %d ", raised, seen);
  signal(SIGTERM, SIG_IGN);
  printf("%d %d ", raise(SIGTERM), seen);
  printf("%d %d\\n", signal(SIGKILL, handle) == SIG_ERR, raise(SIGCHLD));
}`,
  surroundings: `#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  printf("%s %s ", setlocale(LC_ALL, "POSIX"), setlocale(LC_NUMERIC, 0));
  printf("%d %s|%s|%d ", setlocale(LC_ALL, "xx_YY") == 0, localeconv()->decimal_point, localeconv()->negative_sign, localeconv()->frac_digits);
  int terminal = isatty(0);
  printf("%d %d ", terminal, errno == ENOTTY || errno == EINVAL);
  void *block = 0;
  printf("%d %d ", posix_memalign(&block, 3, 10), posix_memalign(&block, 64, 10));
  printf("%d\\n", (int)((size_t)block % 64));
  free(block);
  FILE *f = fopen("left.txt", "w");
  fclose(f);
  printf("%d ", unlink("left.txt"));
  printf("%d\\n", unlink("left.txt"));
}`,
  wideStrings: `#include <stdio.h>
#include <wchar.h>
int main(void) {
  wchar_t a[20], b[20];
  wcscpy(a, L"wide");
  wcscat(a, L" text");
  wmemset(b, L'x', 20);
  wcsncpy(b, a, 7);
  wmemcpy(b + 8, a, 3);
  for (int i = 0; i < 20; i++) printf("%d ", (int)b[i]);
  printf("%d %d %d ", (int)wcslen(a), wcscmp(a, L"wine") < 0, wcsncmp(a, L"wider", 3));
  printf("%d %d %d\\n", (int)(wcschr(a, L't') - a), wcschr(a, L'?') == 0, wcschr(a, 0) == a + 9);
}`,
  calendar: `#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  static const time_t times[] = { 0, -1, 951782400, 951868799, 1700000000, -2208988800, 4102444800, 68169600, 1e10, -5e9, 1e11 };
  for (int i = 0; i < 11; i++) {
    struct tm tm = *gmtime(&times[i]), again = *localtime(&times[i]), third;
    printf("%d-%d-%d %d:%d:%d %d %d %d\\n", tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday, tm.tm_yday, tm.tm_isdst);
    printf("%s%s", asctime(&tm), ctime(&times[i]));
    char text[200];
    size_t n = strftime(text, sizeof text, "%a %A %b %B %c %C %d %D %e %F %H %I %j %k %l %m %M %n %p %P %r %R %S %t %T %u %U %w %W %x %X %y %Y %z %% %h", &tm);
    printf("%d %s\\n", (int)n, text);
    printf("%d ", (int)strftime(text, 5, "%Y-%m", &tm));
    gmtime_r(&times[i], &third);
    third.tm_mon += 14;
    third.tm_mday -= 40;
    third.tm_sec += 100000;
    printf("%ld %ld ", (long)mktime(&again), (long)timegm(&third));
    localtime_r(&times[i], &again);
    printf("%d %d %s", third.tm_yday, again.tm_hour, asctime_r(&third, text));
    printf("%g\\n", difftime(times[i], 5));
  }
  struct timespec none = { 0, 0 };
  printf("%d %d %d\\n", (int)sleep(0), usleep(0), nanosleep(&none, 0));
}`,
  commandLine: `#include <stdio.h>
#include <string.h>
#include <getopt.h>
static int flag;
static const struct option longs[] = { { "all", no_argument, 0, 'a' }, { "size", required_argument, 0, 's' },
  { "color", optional_argument, 0, 'c' }, { "flag", no_argument, &flag, 7 }, { "alter", no_argument, 0, 'x' }, { 0, 0, 0, 0 } };
int main(int argc, char **argv) {
  static char lines[][90] = { "p -a -b x one two -c", "p one -ab two -s 5 three -s6", "p -s", "p -q -a", "p -- -a one", "p one -- -a two", "p",
    "p one two", "p --all --size=3 --size 4 x --color --color=red --flag y", "p --al", "p --alt --nothing -a", "p --size", "p --all=3 --si 9 z", "p - -a -", "p -c4 -c 4" };
  static const char *forms[] = { "ab:s:c::", "+ab:s:c::", ":ab:s:c::", "-as:" };
  opterr = 0;
  for (int f = 0; f < 4; f++) for (int i = 0; i < 15; i++) for (int l = 0; l < 2; l++) {
    char line[90], *words[20];
    int n = 0, c, index = -1;
    strcpy(line, lines[i]);
    for (char *w = strtok(line, " "); w != 0; w = strtok(0, " ")) words[n++] = w;
    words[n] = 0;
    optind = 0;
    flag = 0;
    while ((c = l ? getopt_long(n, words, forms[f], longs, &index) : getopt(n, words, forms[f])) != -1) {
      printf("%d%s%s ", c, optarg ? "=" : "", optarg ? optarg : "");
      if (c == '?' || c == ':') printf("(%d) ", optopt);
    }
    printf("| %d %d %d:", optind, flag, index);
    for (int k = 0; k < n; k++) printf(" %s", words[k]);
    printf("\\n");
  }
}`,
};

describe.skipIf(!hasTool("gcc"))("functions of the library that are written in C", () => {
  it("have a program each", () => {
    const name = (path: string) => /(\w+)\.c$/.exec(path)![1]!;
    expect(libraryFiles.map(({ path }) => name(path)).toSorted()).toEqual(Object.keys(programs).toSorted());
    // The time itself is an input.
    const untested = libraryFiles.flatMap(({ path, names }) =>
      names.filter((each) => !new RegExp(`\\b${each}\\(`).test(programs[name(path)] ?? "")),
    );
    expect(untested.toSorted()).toEqual(["clock_gettime", "gettimeofday"]);
  });

  it.each(Object.keys(programs))("%s", async (name) => {
    const source = programs[name]!;
    process.env.TZ = "UTC";
    const native = runWithGcc(source);
    for (const preprocess of ["builtin", "gcc"] as const) {
      const { stdout, outcome } = runProgram(await loadCText("p.c", source, { preprocess }), {});
      expect(outcome).toMatchObject({ kind: "exit", code: native.status });
      expect(Buffer.from(stdout).toString("latin1").split("\n")).toEqual(
        Buffer.from(native.stdout).toString("latin1").split("\n"),
      );
    }
  });
});
