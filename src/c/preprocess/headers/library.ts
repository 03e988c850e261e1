import { errnoMacros } from "../../library/errno.ts";
import { declarations } from "../../library/table.ts";

export const LIBRARY_HEADERS: Readonly<Record<string, string>> = {
  // Not a macro: the parser must see a call whose argument is the condition as written.
  "assert.h": `#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#ifndef __TF_ASSERT
#define __TF_ASSERT
void assert(int condition);
#endif
#endif
#undef static_assert
#define static_assert _Static_assert
`,

  "ctype.h": `#pragma once
${declarations("ctype.h")}`,

  "errno.h": `#pragma once
extern int errno;
#define errno errno
${errnoMacros()}`,

  "stdlib.h": `#pragma once
#include <tracefold/glibc.h>
#include <tracefold/size_t.h>
#include <tracefold/wchar_t.h>
#include <tracefold/null.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
#include <alloca.h>
${declarations("stdlib.h")}`,

  "alloca.h": `#pragma once
#include <tracefold/size_t.h>
${declarations("alloca.h")}#define alloca(size) __builtin_alloca(size)
`,

  "malloc.h": `#pragma once
#include <stdlib.h>
#include <stdio.h>
${declarations("malloc.h")}`,

  "string.h": `#pragma once
#include <tracefold/size_t.h>
#include <tracefold/null.h>
#include <strings.h>
${declarations("string.h")}`,

  "strings.h": `#pragma once
#include <tracefold/size_t.h>
${declarations("strings.h")}`,

  "memory.h": "#pragma once\n#include <string.h>\n",

  "locale.h": `#pragma once
#include <tracefold/null.h>
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_ALL 6
struct lconv {
  char *decimal_point; char *thousands_sep; char *grouping; char *int_curr_symbol; char *currency_symbol;
  char *mon_decimal_point; char *mon_thousands_sep; char *mon_grouping; char *positive_sign; char *negative_sign;
  char int_frac_digits; char frac_digits; char p_cs_precedes; char p_sep_by_space; char n_cs_precedes;
  char n_sep_by_space; char p_sign_posn; char n_sign_posn; char int_p_cs_precedes; char int_p_sep_by_space;
  char int_n_cs_precedes; char int_n_sep_by_space; char int_p_sign_posn; char int_n_sign_posn;
};
${declarations("locale.h")}`,

  "setjmp.h": `#pragma once
typedef struct { long __registers[25]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
${declarations("setjmp.h")}`,

  "signal.h": `#pragma once
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
${declarations("signal.h")}`,

  "time.h": `#pragma once
#include <tracefold/glibc.h>
#include <tracefold/size_t.h>
#include <tracefold/null.h>
#include <tracefold/time_t.h>
typedef long clock_t;
typedef int clockid_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
struct tm { int tm_sec; int tm_min; int tm_hour; int tm_mday; int tm_mon; int tm_year; int tm_wday; int tm_yday; int tm_isdst; long tm_gmtoff; const char *tm_zone; };
#include <tracefold/timespec.h>
${declarations("time.h")}`,

  "wchar.h": `#pragma once
#include <tracefold/size_t.h>
#include <tracefold/wchar_t.h>
#include <tracefold/null.h>
typedef unsigned int wint_t;
#define WEOF (0xffffffffu)
${declarations("wchar.h")}`,
};
