// Runs each program of a batch in a child process and writes down what it did: `K.out`, `K.err`, `K.log` and one line
// `K exited CODE INPUTS` or `K killed SIGNAL INPUTS` on standard output. The log lives in shared memory, so that it is
// complete however the child ends.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct tf_program {
  int (*main)(int, char **);
  const long long *inputs;
  int count;
};
extern struct tf_program tf_programs[];
extern int tf_program_count;
extern int tf_cycle_inputs;

#define CAPACITY (1u << 22)
struct log {
  uint32_t used, inputs, exhausted, pad;
  struct { int64_t site, value; } entries[CAPACITY];
};
static struct log *log_;
static struct tf_program *current;

int tf_branch(int site, int taken) {
  if (log_->used < CAPACITY) {
    log_->entries[log_->used].site = site;
    log_->entries[log_->used++].value = taken;
  }
  return taken;
}

void tf_switch(int site, long long value) {
  tf_branch(site, 0);
  log_->entries[log_->used - 1].value = value;
}

long long tf_next(void) {
  uint32_t index = log_->inputs++;
  if ((int)index >= current->count && (!tf_cycle_inputs || current->count == 0)) {
    log_->inputs--;
    log_->exhausted = 1;
    fflush(stdout);
    _exit(0);
  }
  return current->inputs[index % current->count];
}

#define NONDET(name, type) __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)tf_next(); }
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(bool, _Bool)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(size_t, size_t)
NONDET(loff_t, long long)
NONDET(sector_t, unsigned long)

// Exit codes that no program of ours uses otherwise say why a run ended.
enum { ASSUMPTION = 201, ERROR_LOCATION = 202, ASSERTION = 203, CHECK = 204 };
static void end(int code) { fflush(stdout); _exit(code); }
void tf_at(int line) { fprintf(stderr, "program.c:%d\n", line); }
void tf_check(int number, int holds) {
  if (holds) return;
  fprintf(stderr, "check %d\n", number);
  end(CHECK);
}
__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) end(ASSUMPTION); }
__attribute__((weak)) void assume_abort_if_not(int condition) { if (!condition) end(ASSUMPTION); }
__attribute__((weak)) void __VERIFIER_assert(int condition) { if (!condition) end(ASSERTION); }
__attribute__((weak)) void assert(int condition) { if (!condition) end(ASSERTION); }
void tf_reached(void) { end(ERROR_LOCATION); }
__attribute__((weak)) void __VERIFIER_error(void) { end(ERROR_LOCATION); }
__attribute__((weak)) void reach_error(void) { end(ERROR_LOCATION); }
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  (void)text, (void)file, (void)function;
  tf_at((int)line);
  end(ASSERTION);
}

static void redirect(int k, const char *extension, int target) {
  char name[64];
  snprintf(name, sizeof name, "%d.%s", k, extension);
  dup2(open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644), target);
}

static void prepare(int k) {
  char name[64];
  const char *limit = getenv("TF_SECONDS");
  rlim_t allowed = limit ? (rlim_t)atoi(limit) : 10;
  struct rlimit seconds = {allowed, allowed};
  int input;
  setrlimit(RLIMIT_CPU, &seconds);
  snprintf(name, sizeof name, "%d.in", k);
  input = open(name, O_RDONLY);
  dup2(input >= 0 ? input : open("/dev/null", O_RDONLY), 0);
  redirect(k, "out", 1);
  redirect(k, "err", 2);
  setvbuf(stdout, NULL, _IONBF, 0);
  current = &tf_programs[k];
}

// Runs before any main. The parent runs the programs and ends here; a child goes on: with the program's own main where
// there is one program, else with the one below.
__attribute__((constructor)) static void drive(void) {
  log_ = mmap(NULL, sizeof *log_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (int k = 0; k < tf_program_count; k++) {
    int status = 0;
    char name[64];
    FILE *file;
    log_->used = log_->inputs = log_->exhausted = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      prepare(k);
      return;
    }
    waitpid(child, &status, 0);
    snprintf(name, sizeof name, "%d.log", k);
    file = fopen(name, "wb");
    fwrite(log_->entries, sizeof log_->entries[0], log_->used, file);
    fclose(file);
    if (log_->exhausted) printf("%d exhausted 0 %u\n", k, log_->inputs);
    else if (WIFSIGNALED(status)) printf("%d killed %d %u\n", k, WTERMSIG(status), log_->inputs);
    else printf("%d exited %d %u\n", k, WEXITSTATUS(status), log_->inputs);
  }
  fflush(stdout);
  _exit(0);
}

#ifndef TF_OWN_MAIN
int main(int argc, char **argv) { return current->main(argc, argv); }
#endif
