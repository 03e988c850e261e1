import type { Entry, UnsupportedEntry } from "./entry.ts";

/** Functions that headers declare and Tracefold does not support: a call is refused by name. */

function listed(
  header: string | null,
  prototypes: readonly string[],
  reason: string | null = null,
): UnsupportedEntry[] {
  return prototypes.map((prototype) => ({ kind: "unsupported", prototype, header, reason }));
}

/** In three precisions; `T` is the type. */
function mathematics(): UnsupportedEntry[] {
  const patterns = [..."erf erfc lgamma tgamma".split(" ").map((name) => `T ${name}_(T)`)];
  return [
    ["double", ""],
    ["float", "f"],
    ["long double", "l"],
  ].flatMap(([type, suffix]) =>
    listed(
      "math.h",
      patterns.map((pattern) => pattern.replaceAll("T", type!).replace("_", suffix!)),
    ),
  );
}

const processes = "threads and processes are not supported";

export const notSupported: readonly Entry[] = [
  ...listed("stdio.h", [
    "int dprintf(int, const char *, ...)",
    "FILE *fdopen(int, const char *)",
    "char *tmpnam(char *)",
    "FILE *popen(const char *, const char *)",
    "int pclose(FILE *)",
  ]),
  ...listed("stdlib.h", [
    "int setenv(const char *, const char *, int)",
    "int unsetenv(const char *)",
    "int putenv(char *)",
    "char *realpath(const char *, char *)",
    "int mkstemp(char *)",
    "int mblen(const char *, size_t)",
    "int mbtowc(wchar_t *, const char *, size_t)",
    "int wctomb(char *, wchar_t)",
    "size_t mbstowcs(wchar_t *, const char *, size_t)",
    "size_t wcstombs(char *, const wchar_t *, size_t)",
  ]),
  ...listed("string.h", ["size_t strxfrm(char *, const char *, size_t)", "char *strsignal(int)"]),
  ...listed("signal.h", ["int kill(int, int)"]),
  ...listed("wchar.h", ["int wprintf(const wchar_t *, ...)"]),
  ...listed("unistd.h", [
    "ssize_t read(int, void *, size_t)",
    "ssize_t write(int, const void *, size_t)",
    "int close(int)",
    "off_t lseek(int, off_t, int)",
    "int access(const char *, int)",
    "int rmdir(const char *)",
    "int chdir(const char *)",
    "char *getcwd(char *, size_t)",
    "int dup(int)",
    "int dup2(int, int)",
    "int pipe(int *)",
    "pid_t getpid(void)",
    "pid_t getppid(void)",
    "uid_t getuid(void)",
    "uid_t geteuid(void)",
    "gid_t getgid(void)",
    "int execv(const char *, char *const *)",
    "int execvp(const char *, char *const *)",
    "int execve(const char *, char *const *, char *const *)",
    "int execl(const char *, const char *, ...)",
    "int execlp(const char *, const char *, ...)",
    "unsigned int alarm(unsigned int)",
    "int pause(void)",
    "long sysconf(int)",
    "int fsync(int)",
    "int ftruncate(int, off_t)",
  ]),
  ...listed("fcntl.h", [
    "int open(const char *, int, ...)",
    "int creat(const char *, mode_t)",
    "int fcntl(int, int, ...)",
  ]),
  ...listed(
    "stdlib.h",
    ["int atexit(void (*)(void))", "int at_quick_exit(void (*)(void))"],
    "functions that call back are not supported",
  ),
  ...listed("unistd.h", ["pid_t fork(void)", "pid_t vfork(void)"], processes),
  ...listed(null, ["int pthread_create()", "int thrd_create()", "int clone()"], processes),
  ...mathematics(),
];
