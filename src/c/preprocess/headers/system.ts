import { declarations } from "../../library/table.ts";

/** The POSIX headers that small programs include. */
export const SYSTEM_HEADERS: Readonly<Record<string, string>> = {
  // Names from glibc's internal headers that some programs use.
  "tracefold/glibc.h": `#pragma once
typedef unsigned char __u_char;
typedef unsigned short __u_short;
typedef unsigned int __u_int;
typedef unsigned long __u_long;
typedef signed char __int8_t;
typedef unsigned char __uint8_t;
typedef short __int16_t;
typedef unsigned short __uint16_t;
typedef int __int32_t;
typedef unsigned int __uint32_t;
typedef __INT64_TYPE__ __int64_t;
typedef __UINT64_TYPE__ __uint64_t;
typedef long __off_t;
typedef int __pid_t;
typedef __PTRDIFF_TYPE__ __ssize_t;
`,
  "tracefold/time_t.h": "#pragma once\ntypedef long time_t;\n",
  "tracefold/timespec.h":
    "#pragma once\n#include <tracefold/time_t.h>\nstruct timespec { time_t tv_sec; long tv_nsec; };\n",

  "sys/types.h": `#pragma once
#include <tracefold/glibc.h>
#include <tracefold/size_t.h>
#include <tracefold/ssize_t.h>
#include <tracefold/time_t.h>
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned int id_t;
typedef long off_t;
typedef unsigned long ino_t;
typedef unsigned long dev_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef int key_t;
typedef char *caddr_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
`,

  "sys/time.h": `#pragma once
#include <sys/types.h>
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct timezone { int tz_minuteswest; int tz_dsttime; };
${declarations("sys/time.h")}`,

  "unistd.h": `#pragma once
#include <sys/types.h>
#include <tracefold/null.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
#include <tracefold/options.h>
${declarations("unistd.h")}`,

  "tracefold/options.h":
    "#pragma once\nextern char *optarg;\nextern int optind;\nextern int opterr;\nextern int optopt;\n",

  "getopt.h": `#pragma once
#include <tracefold/options.h>
#include <unistd.h>
struct option { const char *name; int has_arg; int *flag; int val; };
#define no_argument 0
#define required_argument 1
#define optional_argument 2
${declarations("getopt.h")}`,

  "arpa/inet.h": `#pragma once
#include <stdint.h>
${declarations("arpa/inet.h")}`,
  "netinet/in.h": "#pragma once\n#include <arpa/inet.h>\n",

  "fcntl.h": `#pragma once
#include <sys/types.h>
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_EXCL 128
#define O_TRUNC 512
#define O_APPEND 1024
#define O_NONBLOCK 2048
#define F_GETFL 3
#define F_SETFL 4
${declarations("fcntl.h")}`,
};
