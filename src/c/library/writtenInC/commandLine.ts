import { type Entry, inC } from "../entry.ts";

/** `<unistd.h>`, `<getopt.h>`: command-line options as in glibc: other arguments are moved after the options. */
export const commandLineSource = `#include <getopt.h>
#include <stdio.h>
#include <string.h>
char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static char *__tf_next;
static int __tf_first_other, __tf_last_other;

/* Puts the options that were found since the last other arguments in front of these. */
static void __tf_exchange(char **argv) {
  int bottom = __tf_first_other, middle = __tf_last_other, top = optind;
  for (int i = middle; i < top; i++) {
    char *option = argv[i];
    for (int k = i; k > bottom; k--) argv[k] = argv[k - 1];
    argv[bottom++] = option;
  }
  __tf_first_other += optind - __tf_last_other;
  __tf_last_other = optind;
}

static int __tf_is_option(const char *argument) { return argument[0] == '-' && argument[1] != 0; }

/* Goes to the next argument that has options; 0 where there is none. */
static int __tf_advance(int argc, char *const *given, const char *options) {
  char **argv = (char **)given;
  int ordered = *options == '+', in_order = *options == '-';
  if (__tf_last_other > optind) __tf_last_other = optind;
  if (__tf_first_other > optind) __tf_first_other = optind;
  if (!ordered && !in_order) {
    if (__tf_first_other != __tf_last_other && __tf_last_other != optind) __tf_exchange(argv);
    else if (__tf_last_other != optind) __tf_first_other = optind;
    while (optind < argc && !__tf_is_option(argv[optind])) optind++;
    __tf_last_other = optind;
  }
  if (optind != argc && strcmp(argv[optind], "--") == 0) {
    optind++;
    if (__tf_first_other != __tf_last_other && __tf_last_other != optind) __tf_exchange(argv);
    else if (__tf_first_other == __tf_last_other) __tf_first_other = optind;
    __tf_last_other = argc;
    optind = argc;
  }
  if (optind == argc) {
    if (__tf_first_other != __tf_last_other) optind = __tf_first_other;
    return 0;
  }
  return 1;
}

static int __tf_long(int argc, char *const *argv, const char *options, const struct option *longs, int *index, const char *prefix) {
  int quiet = !opterr || options[*options == '+' || *options == '-'] == ':';
  size_t length = strcspn(__tf_next, "=");
  const struct option *found = 0;
  int exact = 0, ambiguous = 0;
  for (const struct option *each = longs; each->name != 0; each++) {
    if (strncmp(each->name, __tf_next, length) != 0) continue;
    if (strlen(each->name) == length) {
      found = each;
      exact = 1;
      break;
    }
    if (found == 0) found = each;
    else if (found->has_arg != each->has_arg || found->flag != each->flag || found->val != each->val) ambiguous = 1;
  }
  if (ambiguous && !exact) {
    if (!quiet) fprintf(stderr, "%s: option '%s%s' is ambiguous\\n", argv[0], prefix, __tf_next);
    __tf_next = 0;
    optind++;
    optopt = 0;
    return '?';
  }
  if (found == 0) {
    if (!quiet) fprintf(stderr, "%s: unrecognized option '%s%s'\\n", argv[0], prefix, __tf_next);
    __tf_next = 0;
    optind++;
    optopt = 0;
    return '?';
  }
  char *value = __tf_next[length] == 0 ? 0 : __tf_next + length + 1;
  optind++;
  __tf_next = 0;
  if (value != 0 && !found->has_arg) {
    if (!quiet) fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\\n", argv[0], prefix, found->name);
    optopt = found->val;
    return '?';
  }
  optarg = value;
  if (value == 0 && found->has_arg == 1) {
    if (optind == argc) {
      if (!quiet) fprintf(stderr, "%s: option '%s%s' requires an argument\\n", argv[0], prefix, found->name);
      optopt = found->val;
      return options[*options == '+' || *options == '-'] == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  if (index != 0) *index = found - longs;
  if (found->flag == 0) return found->val;
  *found->flag = found->val;
  return 0;
}

static int __tf_options(int argc, char *const *argv, const char *options, const struct option *longs, int *index) {
  if (argc < 1) return -1;
  optarg = 0;
  if (optind == 0) {
    optind = 1;
    __tf_next = 0;
  }
  if (__tf_first_other == 0) __tf_first_other = __tf_last_other = optind;
  const char *letters = options + (*options == '+' || *options == '-');
  int quiet = !opterr || *letters == ':';
  if (__tf_next == 0 || *__tf_next == 0) {
    if (!__tf_advance(argc, argv, options)) return -1;
    if (!__tf_is_option(argv[optind])) {
      if (*options != '-') return -1;
      optarg = argv[optind++];
      return 1;
    }
    if (longs != 0 && argv[optind][1] == '-') {
      __tf_next = argv[optind] + 2;
      return __tf_long(argc, argv, options, longs, index, "--");
    }
    __tf_next = argv[optind] + 1;
  }
  char letter = *__tf_next++;
  const char *known = letter == ':' || letter == ';' ? 0 : strchr(letters, letter);
  if (*__tf_next == 0) optind++;
  if (known == 0) {
    if (!quiet) fprintf(stderr, "%s: invalid option -- '%c'\\n", argv[0], letter);
    optopt = letter;
    return '?';
  }
  if (known[1] != ':') return letter;
  if (*__tf_next != 0) {
    optarg = __tf_next;
    optind++;
  } else if (known[2] != ':') {
    if (optind == argc) {
      if (!quiet) fprintf(stderr, "%s: option requires an argument -- '%c'\\n", argv[0], letter);
      optopt = letter;
      letter = *letters == ':' ? ':' : '?';
    } else optarg = argv[optind++];
  }
  __tf_next = 0;
  return letter;
}

int getopt(int argc, char *const *argv, const char *options) { return __tf_options(argc, argv, options, 0, 0); }

int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs, int *index) {
  return __tf_options(argc, argv, options, longs, index);
}
`;

export const commandLine: readonly Entry[] = [
  inC("unistd.h", "int getopt(int, char *const *, const char *)"),
  inC("getopt.h", "int getopt_long(int, char *const *, const char *, const struct option *, int *)"),
];
