/**
 * Statements that show what functions on files do, by name. They make the files they use, so that glibc and ours find the same;
 * `put` writes one, `show` prints what one holds.
 */
export const fileHelpers = `
static void put(const char *name, const char *content) {
  FILE *f = fopen(name, "w");
  fputs(content, f);
  fclose(f);
}
static void show(const char *name) {
  FILE *f = fopen(name, "r");
  if (f == 0) { printf("[none]"); return; }
  printf("[");
  for (int c = getc(f); c != EOF; c = getc(f)) printf("%02x", c);
  printf("]");
  fclose(f);
}
static void state(FILE *f) { printf(" at %ld%s%s", ftell(f), feof(f) ? " ended" : "", ferror(f) ? " failed" : ""); }
static int list_vfscanf(FILE *f, const char *format, ...) { va_list l; va_start(l, format); int r = vfscanf(f, format, l); va_end(l); return r; }
static int list_vsscanf(const char *s, const char *format, ...) { va_list l; va_start(l, format); int r = vsscanf(s, format, l); va_end(l); return r; }
static int list_vscanf(const char *format, ...) { va_list l; va_start(l, format); int r = vscanf(format, l); va_end(l); return r; }
`;

export const fileCalls: Readonly<Record<string, string>> = {
  fopen: `  static const char *names[] = { "f.txt", "absent", "nofolder/x", "f.txt/x", ".", "" };
  static const char *modes[] = { "r", "w", "a", "r+", "w+", "a+", "rb", "wx", "w+bx", "q", "", "rt", "r+b" };
  for (int i = 0; i < COUNT(names); i++) for (int k = 0; k < COUNT(modes); k++) {
    put("f.txt", "one\\ntwo\\n");
    remove("absent");
    fresh();
    FILE *f = fopen(names[i], modes[k]);
    int code = errno; begin("fopen"); errno = code;
    integer(f != 0);
    code = errno;
    if (f != 0) {
      state(f);
      integer(getc(f));
      fseek(f, 2, SEEK_SET);
      integer(putc('X', f));
      state(f);
      clearerr(f);
      fseek(f, 0, SEEK_END);
      if (i != 4) state(f);
      integer(fclose(f));
      show("f.txt");
      show("absent");
    }
    errno = code;
    finish();
  }`,
  freopen: `  put("f.txt", "one\\ntwo\\n");
  FILE *f = fopen("f.txt", "r");
  fresh();
  getc(f);
  FILE *g = freopen("g.txt", "w", f);
  begin("freopen");
  integer(g == f);
  fputs("fresh", g);
  state(g);
  g = freopen("f.txt", "r", g);
  integer(getc(g));
  show("g.txt");
  g = freopen("absent", "r", g);
  integer(g == 0);
  finish();`,
  tmpfile: `  fresh();
  FILE *f = tmpfile();
  begin("tmpfile");
  integer(f != 0);
  fputs("abc", f);
  rewind(f);
  integer(getc(f));
  state(f);
  fclose(f);
  finish();`,
  fclose: `  put("f.txt", "one");
  fresh();
  FILE *f = fopen("f.txt", "r"), *g = fopen("f.txt", "r+");
  begin("fclose");
  integer(getc(f));
  integer(putc('Z', g));
  integer(fclose(g));
  integer(fclose(f));
  show("f.txt");
  finish();`,
  remove: `  put("f.txt", "one");
  static const char *names[] = { "f.txt", "f.txt", "f.txt/x", "", "absent/x" };
  for (int i = 0; i < COUNT(names); i++) {
    fresh();
    int r = remove(names[i]);
    int code = errno; begin("remove"); errno = code;
    integer(r);
    finish();
  }
  show("f.txt");`,
  rename: `  put("f.txt", "one");
  put("g.txt", "two");
  remove("absent");
  static const char *pairs[][2] = { { "f.txt", "g.txt" }, { "f.txt", "g.txt" }, { "g.txt", "h.txt" }, { "h.txt", "h.txt" },
    { "h.txt", "nofolder/x" }, { "h.txt", "h.txt/x" }, { "h.txt", "" } };
  for (int i = 0; i < COUNT(pairs); i++) {
    fresh();
    int r = rename(pairs[i][0], pairs[i][1]);
    int code = errno; begin("rename"); errno = code;
    integer(r);
    code = errno; show("f.txt"); show("g.txt"); show("h.txt"); errno = code;
    finish();
  }`,
  fileno: `  fresh(); begin("fileno"); integer(fileno(stdin)); integer(fileno(stdout)); integer(fileno(stderr));
  FILE *f = tmpfile(), *g = tmpfile(); integer(fileno(g) - fileno(f)); fclose(f); fclose(g); finish();`,
  fseek: `  static const long offsets[] = { 0, 3, -1, 100, -100 };
  put("f.txt", "0123456789");
  for (int i = 0; i < COUNT(offsets); i++) for (int k = -1; k < 4; k++) {
    FILE *f = fopen("f.txt", "r+");
    getc(f); getc(f); ungetc('x', f);
    fresh();
    int r = fseek(f, offsets[i], k);
    int code = errno; begin("fseek"); errno = code;
    integer(r);
    code = errno;
    printf(" %ld", ftell(f));
    integer(getc(f));
    errno = code;
    fclose(f);
    finish();
  }
  FILE *f = fopen("g.txt", "w+");
  fputs("ab", f);
  fseek(f, 3, SEEK_CUR);
  fputs("cd", f);
  while (getc(f) != EOF) { }
  fseek(f, 0, SEEK_SET);
  fresh(); begin("fseek"); state(f); integer(getc(f)); fclose(f); show("g.txt"); finish();
  fresh(); integer(fseek(stdin, 0, SEEK_SET)); int code = errno; begin("fseek"); errno = code; finish();`,
  ftell: `  put("f.txt", "0123");
  FILE *f = fopen("f.txt", "r");
  fresh(); begin("ftell");
  integer(ftell(f)); getc(f); integer(ftell(f)); ungetc('q', f); integer(ftell(f)); getc(f); getc(f); getc(f); getc(f); getc(f); integer(ftell(f));
  fclose(f);
  f = fopen("f.txt", "a"); integer(ftell(f)); fputs("45", f); integer(ftell(f)); fclose(f);
  f = fopen("f.txt", "a+"); integer(ftell(f)); integer(getc(f)); fseek(f, 0, SEEK_CUR); fputs("6", f); integer(ftell(f)); fclose(f);
  show("f.txt");
  errno = 0; integer(ftell(stdin)); finish();`,
  rewind: `  put("f.txt", "0123");
  FILE *f = fopen("f.txt", "r");
  fresh(); begin("rewind");
  while (getc(f) != EOF) { }
  putc('x', f);
  state(f);
  rewind(f);
  state(f);
  integer(getc(f));
  fclose(f);
  errno = 0;
  finish();`,
  fgetpos: `  put("f.txt", "0123");
  FILE *f = fopen("f.txt", "r");
  fpos_t p, q;
  getc(f);
  fresh(); begin("fgetpos"); integer(fgetpos(f, &p)); getc(f); getc(f); integer(fsetpos(f, &p)); integer(getc(f)); fclose(f);
  integer(fgetpos(stdin, &q)); finish();`,
  fsetpos: `  FILE *f = tmpfile();
  fpos_t p;
  fputs("abc", f);
  fresh(); begin("fsetpos"); fgetpos(f, &p); rewind(f); getc(f); integer(fsetpos(f, &p)); integer(getc(f)); state(f); fclose(f); finish();`,
  clearerr: `  put("f.txt", "0");
  FILE *f = fopen("f.txt", "r");
  fresh(); begin("clearerr"); getc(f); getc(f); putc('x', f); state(f); clearerr(f); state(f); integer(getc(f)); fclose(f); errno = 0; finish();`,
  fread: `  put("f.txt", "0123456789");
  static const size_t shapes[][2] = { { 1, 4 }, { 3, 2 }, { 4, 4 }, { 0, 3 }, { 3, 0 }, { 1, 1 } };
  for (int i = 0; i < COUNT(shapes); i++) {
    FILE *f = fopen("f.txt", i == 5 ? "w" : "r");
    fresh();
    size_t r = fread(places[0], shapes[i][0], shapes[i][1], f);
    int code = errno; begin("fread"); errno = code;
    natural(r);
    code = errno; state(f); errno = code;
    fclose(f);
    finish();
  }`,
  fflush: `  FILE *f = fopen("g.txt", "w"); fputs("x", f);
  fresh(); begin("fflush"); integer(fflush(stdout)); integer(fflush(0)); integer(fflush(f)); show("g.txt"); fclose(f); finish();`,
  setvbuf: `  FILE *f = fopen("g.txt", "w");
  fresh(); int r = setvbuf(f, 0, _IOFBF, 0), s = setvbuf(f, 0, 7, 0); begin("setvbuf"); integer(r); integer(s); fputs("y", f); fclose(f); show("g.txt"); finish();`,
  setbuf: `  FILE *f = fopen("g.txt", "w");
  fresh(); setbuf(f, 0); begin("setbuf"); fputs("z", f); show("g.txt"); fclose(f); finish();`,
  strerror: `  for (int i = 0; i < 140; i++) { fresh(); char *r = strerror(i); begin("strerror"); printf("%s", r); finish(); }
  fresh(); begin("strerror"); integer(strerror(2) == strerror(2)); printf("%s", strerror(9999)); finish();`,
  getline: `  static char text[400];
  memset(text, 'l', 300); strcpy(text + 300, "\\nshort\\n\\nrest");
  put("f.txt", text);
  FILE *f = fopen("f.txt", "r");
  char *line = 0; size_t size = 0;
  for (int i = 0; i < 6; i++) {
    fresh();
    long r = getline(&line, &size, f);
    int code = errno; begin("getline"); errno = code;
    integer(r); natural(size); printf(" %s", line);
    finish();
  }
  free(line);
  line = malloc(3); size = 3;
  rewind(f);
  fresh(); begin("getline"); getc(f); integer(getline(&line, &size, f)); natural(size); free(line); fclose(f); finish();
  fresh(); integer(getline(0, &size, stdin)); int code = errno; begin("getline"); errno = code; finish();`,
  getdelim: `  put("f.txt", "a,b,,cd\\ne");
  FILE *f = fopen("f.txt", "r");
  char *part = 0; size_t size = 0;
  for (int i = 0; i < 6; i++) {
    fresh(); long r = getdelim(&part, &size, ',', f); begin("getdelim"); integer(r); printf(" %s", r < 0 ? "" : part); finish();
  }
  free(part); fclose(f);`,
  vfscanf: `  put("f.txt", "12 abc 3.5");
  FILE *f = fopen("f.txt", "r");
  fresh(); int r = list_vfscanf(f, "%d %s", (int *)places[0], (char *)places[1]); begin("vfscanf"); integer(r); state(f); fclose(f); finish();`,
  vsscanf: `  fresh(); int r = list_vsscanf("7-8", "%d-%d", (int *)places[0], (int *)places[1]); begin("vsscanf"); integer(r); finish();`,
  vscanf: `  fresh(); int r = list_vscanf("%5s", (char *)places[0]); begin("vscanf"); integer(r); finish();`,
};
