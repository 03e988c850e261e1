import { type Entry, inC } from "../entry.ts";

/** `<time.h>`: Gregorian dates. Local time is UTC; the current time is an input; sleeping returns at once. */
export const calendarSource = `#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/time.h>
#include <unistd.h>

static const char *const __tf_days[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const __tf_months[] = { "January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December" };
static struct tm __tf_broken;
static char __tf_date[64];

/* Days since 1970-01-01 of a date, whose month is 0 to 11 (Hinnant, "chrono-compatible low-level date algorithms"). */
static long __tf_days_from(long year, long month, long day) {
  long y = month < 2 ? year - 1 : year;
  long era = (y >= 0 ? y : y - 399) / 400;
  long of_era = y - era * 400;
  long of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void __tf_break_down(time_t time, struct tm *to, const char *zone) {
  long days = time / 86400, rest = time % 86400;
  if (rest < 0) {
    rest += 86400;
    days--;
  }
  to->tm_hour = rest / 3600;
  to->tm_min = rest % 3600 / 60;
  to->tm_sec = rest % 60;
  to->tm_wday = ((days % 7) + 11) % 7;
  long shifted = days + 719468;
  long era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  long of_era = shifted - era * 146097;
  long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  long of_year = of_era - (365 * year + year / 4 - year / 100);
  long month = (5 * of_year + 2) / 153;
  to->tm_mday = of_year - (153 * month + 2) / 5 + 1;
  to->tm_mon = month < 10 ? month + 2 : month - 10;
  year += era * 400 + (to->tm_mon < 2);
  to->tm_year = year - 1900;
  to->tm_yday = days - __tf_days_from(year, 0, 1);
  to->tm_isdst = 0;
  to->tm_gmtoff = 0;
  to->tm_zone = zone;
}

struct tm *gmtime_r(const time_t *time, struct tm *to) { __tf_break_down(*time, to, "GMT"); return to; }
struct tm *localtime_r(const time_t *time, struct tm *to) { __tf_break_down(*time, to, "UTC"); return to; }
struct tm *gmtime(const time_t *time) { return gmtime_r(time, &__tf_broken); }
struct tm *localtime(const time_t *time) { return localtime_r(time, &__tf_broken); }

static time_t __tf_join(struct tm *tm, const char *zone) {
  long year = 1900L + tm->tm_year, month = tm->tm_mon;
  year += month / 12;
  month %= 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  time_t time = (__tf_days_from(year, month, 1) + tm->tm_mday - 1) * 86400L + tm->tm_hour * 3600L + tm->tm_min * 60L + tm->tm_sec;
  __tf_break_down(time, tm, zone);
  return time;
}

time_t mktime(struct tm *tm) { return __tf_join(tm, "UTC"); }
time_t timegm(struct tm *tm) { return __tf_join(tm, "GMT"); }
double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

char *asctime_r(const struct tm *tm, char *to) {
  sprintf(to, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\\n", tm->tm_wday < 0 || tm->tm_wday > 6 ? "???" : __tf_days[tm->tm_wday],
    tm->tm_mon < 0 || tm->tm_mon > 11 ? "???" : __tf_months[tm->tm_mon], tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_sec,
    1900 + tm->tm_year);
  return to;
}

char *asctime(const struct tm *tm) { return asctime_r(tm, __tf_date); }
char *ctime(const time_t *time) { return asctime(localtime(time)); }

static int __tf_hour12(const struct tm *tm) { return tm->tm_hour % 12 == 0 ? 12 : tm->tm_hour % 12; }

static const char *__tf_expanded(char letter) {
  switch (letter) {
    case 'c': return "%a %b %e %H:%M:%S %Y";
    case 'D': case 'x': return "%m/%d/%y";
    case 'F': return "%Y-%m-%d";
    case 'r': return "%I:%M:%S %p";
    case 'R': return "%H:%M";
    case 'T': case 'X': return "%H:%M:%S";
    default: return 0;
  }
}

static void __tf_field(char *to, char letter, const struct tm *tm) {
  int year = 1900 + tm->tm_year;
  switch (letter) {
    case 'a': sprintf(to, "%.3s", __tf_days[tm->tm_wday]); break;
    case 'A': sprintf(to, "%s", __tf_days[tm->tm_wday]); break;
    case 'b': case 'h': sprintf(to, "%.3s", __tf_months[tm->tm_mon]); break;
    case 'B': sprintf(to, "%s", __tf_months[tm->tm_mon]); break;
    case 'C': sprintf(to, "%02d", year / 100); break;
    case 'd': sprintf(to, "%02d", tm->tm_mday); break;
    case 'e': sprintf(to, "%2d", tm->tm_mday); break;
    case 'H': sprintf(to, "%02d", tm->tm_hour); break;
    case 'I': sprintf(to, "%02d", __tf_hour12(tm)); break;
    case 'j': sprintf(to, "%03d", tm->tm_yday + 1); break;
    case 'k': sprintf(to, "%2d", tm->tm_hour); break;
    case 'l': sprintf(to, "%2d", __tf_hour12(tm)); break;
    case 'm': sprintf(to, "%02d", tm->tm_mon + 1); break;
    case 'M': sprintf(to, "%02d", tm->tm_min); break;
    case 'n': strcpy(to, "\\n"); break;
    case 'p': strcpy(to, tm->tm_hour < 12 ? "AM" : "PM"); break;
    case 'P': strcpy(to, tm->tm_hour < 12 ? "am" : "pm"); break;
    case 'S': sprintf(to, "%02d", tm->tm_sec); break;
    case 't': strcpy(to, "\\t"); break;
    case 'u': sprintf(to, "%d", tm->tm_wday == 0 ? 7 : tm->tm_wday); break;
    case 'U': sprintf(to, "%02d", (tm->tm_yday + 7 - tm->tm_wday) / 7); break;
    case 'w': sprintf(to, "%d", tm->tm_wday); break;
    case 'W': sprintf(to, "%02d", (tm->tm_yday + 7 - (tm->tm_wday + 6) % 7) / 7); break;
    case 'y': sprintf(to, "%02d", year % 100); break;
    case 'Y': sprintf(to, "%d", year); break;
    case 'z': strcpy(to, "+0000"); break;
    case 'Z': strcpy(to, tm->tm_zone); break;
    case '%': strcpy(to, "%"); break;
    default: to[0] = '%'; to[1] = letter; to[2] = 0; break;
  }
}

size_t strftime(char *to, size_t room, const char *format, const struct tm *tm) {
  size_t used = 0;
  for (; *format != 0; format++) {
    char field[64];
    field[0] = *format;
    field[1] = 0;
    if (*format == '%' && format[1] != 0) {
      format++;
      const char *expanded = __tf_expanded(*format);
      if (expanded == 0) __tf_field(field, *format, tm);
      else strftime(field, sizeof field, expanded, tm);
    }
    size_t length = strlen(field);
    if (used + length + 1 > room) return 0;
    memcpy(to + used, field, length);
    used += length;
  }
  if (room > 0) to[used] = 0;
  return used;
}

int gettimeofday(struct timeval *to, void *zone) {
  to->tv_sec = time(0);
  to->tv_usec = 0;
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *to) {
  to->tv_sec = time(0);
  to->tv_nsec = 0;
  return 0;
}

unsigned int sleep(unsigned int seconds) { return 0; }
int usleep(useconds_t microseconds) { return 0; }
int nanosleep(const struct timespec *wanted, struct timespec *left) { return 0; }
`;

export const calendar: readonly Entry[] = [
  ...[
    "struct tm *gmtime(const time_t *)",
    "struct tm *localtime(const time_t *)",
    "struct tm *gmtime_r(const time_t *, struct tm *)",
    "struct tm *localtime_r(const time_t *, struct tm *)",
    "time_t mktime(struct tm *)",
    "time_t timegm(struct tm *)",
    "double difftime(time_t, time_t)",
    "char *asctime(const struct tm *)",
    "char *asctime_r(const struct tm *, char *)",
    "char *ctime(const time_t *)",
    "size_t strftime(char *, size_t, const char *, const struct tm *)",
    "int clock_gettime(clockid_t, struct timespec *)",
    "int nanosleep(const struct timespec *, struct timespec *)",
  ].map((prototype) => inC("time.h", prototype)),
  inC("sys/time.h", "int gettimeofday(struct timeval *, void *)"),
  inC("unistd.h", "unsigned int sleep(unsigned int)"),
  inC("unistd.h", "int usleep(useconds_t)"),
];
