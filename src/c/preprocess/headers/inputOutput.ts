import { declarations } from "../../library/table.ts";

export const INPUT_OUTPUT_HEADERS: Readonly<Record<string, string>> = {
  "stdio.h": `#pragma once
#include <tracefold/glibc.h>
#include <tracefold/size_t.h>
#include <tracefold/ssize_t.h>
#include <tracefold/null.h>
typedef struct _IO_FILE FILE;
typedef long fpos_t;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
${declarations("stdio.h")}`,
};
