/** Functions that pass on what they are given. */
export const helpers = ["vprintf", "vfprintf", "vsprintf", "vsnprintf"]
  .map((name) => {
    const first = { vprintf: "", vfprintf: "FILE *a, ", vsprintf: "char *a, ", vsnprintf: "char *a, size_t b, " }[
      name
    ]!;
    const passed = first.replaceAll(/[\w ]+\*?(\w), /g, "$1, ");
    return `static int list_${name}(${first}const char *format, ...) {
  va_list list;
  va_start(list, format);
  int r = ${name}(${passed}format, list);
  va_end(list);
  return r;
}
`;
  })
  .join("");

/** Statements that show what functions on blocks, streams and formats do, by name. */
export const handwritten: Readonly<Record<string, string>> = {
  malloc: `  static const size_t sizes[] = { 0, 1, 100, (size_t)1 << 50, (size_t)-1 };
  for (int i = 0; i < COUNT(sizes); i++) {
    fresh();
    char *r = malloc(sizes[i]);
    int code = errno; begin("malloc"); errno = code;
    integer(r != 0);
    finish();
    if (r != 0 && sizes[i] > 0) { r[sizes[i] - 1] = 1; }
    free(r);
  }`,
  calloc: `  static const size_t sizes[][2] = { { 0, 4 }, { 3, 4 }, { 1, 1 }, { (size_t)1 << 40, (size_t)1 << 40 }, { (size_t)-1, 2 } };
  for (int i = 0; i < COUNT(sizes); i++) {
    fresh();
    char *r = calloc(sizes[i][0], sizes[i][1]);
    int code = errno; begin("calloc"); errno = code;
    integer(r != 0);
    if (r != 0) for (size_t k = 0; k < sizes[i][0] * sizes[i][1]; k++) integer(r[k]);
    finish();
    free(r);
  }`,
  realloc: `  static const size_t sizes[] = { 1, 4, 100, 0, (size_t)1 << 50 };
  for (int i = 0; i < COUNT(sizes); i++) for (int k = 0; k < 2; k++) {
    fresh();
    char *old = 0;
    if (k) { old = malloc(4); memcpy(old, "wxyz", 4); }
    char *r = realloc(old, sizes[i]);
    int code = errno; begin("realloc"); errno = code;
    integer(r != 0);
    for (size_t at = 0; r != 0 && k && at < 4 && at < sizes[i]; at++) integer(r[at]);
    finish();
    if (r != 0) free(r); else if (sizes[i] != 0) free(old);
  }`,
  free: `  fresh();
  errno = 5;
  free(0);
  free(malloc(3));
  int code = errno; begin("free"); errno = code;
  finish();`,
  alloca: `  fresh();
  char *r = alloca(7);
  memset(r, 1, 7);
  begin("alloca");
  integer(r[0] + r[6]);
  finish();`,
  strdup: `  for (int i = 0; i < COUNT(texts); i++) {
    fresh();
    char *r = strdup(texts[i]);
    begin("strdup");
    printf("%s", r);
    finish();
    free(r);
  }`,
  strndup: `  for (int i = 0; i < COUNT(texts); i++) for (int k = 0; k < COUNT(limits); k++) {
    fresh();
    char *r = strndup(texts[i], limits[k]);
    begin("strndup");
    printf("%s %d", r, (int)strlen(r));
    finish();
    free(r);
  }`,
  strtok: `  static const char *sets[] = { ",", ",; ", "", "abc" };
  for (int i = 0; i < COUNT(texts); i++) for (int k = 0; k < COUNT(sets); k++) {
    fresh();
    char *whole = room(0, texts[i]);
    begin("strtok");
    for (char *r = strtok(whole, sets[k]); r != 0; r = strtok(0, sets[k])) { place(r, whole); printf("%s ", r); }
    place(strtok(0, sets[k]), whole);
    finish();
  }`,
  getenv: `  fresh();
  begin("getenv");
  integer(getenv("TRACEFOLD_NO_SUCH_VARIABLE") == 0);
  finish();`,
  system: `  fresh();
  begin("system");
  integer(system("true"));
  finish();`,
  rand: `  for (int i = 0; i < 40; i++) { fresh(); begin("rand"); integer(rand()); finish(); }`,
  srand: `  static const unsigned seeds[] = { 0, 1, 42, 2147483648u, 4294967295u };
  for (int i = 0; i < COUNT(seeds); i++) {
    fresh();
    srand(seeds[i]);
    begin("srand");
    for (int k = 0; k < 5; k++) { integer(rand()); printf(" "); }
    finish();
  }
  srand(1);`,
  printf: `  fresh();
  begin("printf");
  int r = printf("[%d %5.2f %-6s|%c %x %%]", -7, 3.14159, "ab", 'z', 255u);
  integer(r);
  integer(printf(""));
  finish();`,
  fprintf: `  fresh();
  begin("fprintf");
  integer(fprintf(stdout, "%s %ld", "out", 123456789012L));
  integer(fprintf(stderr, "to errors %d\\n", 3));
  finish();`,
  vprintf: `  fresh();
  begin("vprintf");
  integer(list_vprintf("%d %s %g", 4, "four", 4.5));
  finish();`,
  vfprintf: `  fresh();
  begin("vfprintf");
  integer(list_vfprintf(stdout, "%lld|%c", 1LL << 40, 'x'));
  finish();`,
  sprintf: `  static const char *formats[] = { "%d", "<%5d>", "%-8x|", "%+.3d", "%o" };
  for (int i = 0; i < COUNT(formats); i++) {
    fresh();
    int r = sprintf((char *)places[0], formats[i], 1234);
    begin("sprintf");
    integer(r);
    finish();
  }`,
  snprintf: `  for (int i = 0; i < COUNT(lengths); i++) {
    fresh();
    int r = snprintf((char *)places[0], lengths[i], "%s-%d", "abc", 12345);
    begin("snprintf");
    integer(r);
    finish();
  }
  fresh();
  begin("snprintf");
  integer(snprintf(0, 0, "%s", "abc"));
  finish();`,
  vsprintf: `  fresh();
  begin("vsprintf");
  integer(list_vsprintf((char *)places[0], "%d,%s", 77, "seven"));
  finish();`,
  vsnprintf: `  for (int i = 0; i < COUNT(lengths); i++) {
    fresh();
    int r = list_vsnprintf((char *)places[0], lengths[i], "%s.%d", "abc", 12345);
    begin("vsnprintf");
    integer(r);
    finish();
  }`,
  puts: `  fresh(); begin("puts"); integer(puts("a line") >= 0); finish();`,
  putchar: `  fresh(); begin("putchar"); integer(putchar('A')); integer(putchar(256 + 'B')); integer(putchar(-1)); finish();`,
  fputc: `  fresh(); begin("fputc"); integer(fputc('A', stdout)); integer(fputc(300, stdout)); finish();`,
  putc: `  fresh(); begin("putc"); integer(putc('A', stdout)); integer(putc(300, stdout)); finish();`,
  fputs: `  fresh(); begin("fputs"); integer(fputs("text", stdout) >= 0); fputs("error text\\n", stderr); finish();`,
  fwrite: `  fresh();
  begin("fwrite");
  natural(fwrite("abcdef", 2, 3, stdout));
  natural(fwrite("abcdef", 0, 3, stdout));
  natural(fwrite("abcdef", 3, 0, stdout));
  finish();`,

  perror: `  static const int codes[] = { 0, 1, 2, 12, 33, 34, 75 };
  for (int i = 0; i < COUNT(codes); i++) { errno = codes[i]; perror(i % 2 ? "prefix" : i % 3 ? "" : 0); }
  fresh(); begin("perror"); finish();`,
  getchar: `  fresh(); begin("getchar"); for (int i = 0; i < 3; i++) integer(getchar()); finish();`,
  fgetc: `  fresh(); begin("fgetc"); for (int i = 0; i < 3; i++) integer(fgetc(stdin)); finish();`,
  getc: `  fresh(); begin("getc"); for (int i = 0; i < 3; i++) integer(getc(stdin)); finish();`,
  ungetc: `  fresh();
  begin("ungetc");
  int c = getchar();
  integer(ungetc(c, stdin));
  integer(ungetc(-1, stdin));
  integer(getchar() == c);
  finish();`,
  fgets: `  static const int rooms[] = { 1, 2, 5, 40, 40 };
  for (int i = 0; i < COUNT(rooms); i++) {
    fresh();
    char *r = fgets((char *)places[0], rooms[i], stdin);
    begin("fgets");
    place(r, places[0]);
    finish();
  }`,
  gets: `  fresh();
  char *r = gets((char *)places[0]);
  begin("gets");
  place(r, places[0]);
  finish();`,
  scanf: `  fresh();
  int r = scanf("%d %2s%n", (int *)places[0], (char *)places[1], (int *)places[2]);
  begin("scanf");
  integer(r);
  finish();
  fresh();
  r = scanf("%d %ld", (int *)places[0], (long *)places[1]);
  int code = errno; begin("scanf"); errno = code;
  integer(r);
  finish();`,
  fscanf: `  fresh();
  int r = fscanf(stdin, "%lf%*c%[a-c]", (double *)places[0], (char *)places[1]);
  begin("fscanf");
  integer(r);
  finish();
  fresh();
  r = fscanf(stdin, "%d", (int *)places[0]);
  begin("fscanf");
  integer(r);
  finish();`,
  sscanf: `  for (int i = 0; i < COUNT(digits); i++) for (int k = 0; k < 6; k++) {
    static const char *formats[] = { "%d", "%li", "%x", "%lf", "%3u", "%hhd" };
    fresh();
    int r = sscanf(digits[i], formats[k], places[0]);
    int code = errno; begin("sscanf"); errno = code;
    integer(r);
    finish();
  }`,
  feof: `  fresh();
  begin("feof");
  integer(feof(stdin) != 0);
  while (getchar() != EOF) { }
  integer(feof(stdin) != 0);
  integer(getchar());
  place(fgets((char *)places[0], 10, stdin), places[0]);
  finish();`,
  ferror: `  fresh(); begin("ferror"); integer(ferror(stdin)); integer(ferror(stdout)); finish();`,
};
