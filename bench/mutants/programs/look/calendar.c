/* Calendar arithmetic in the Gregorian calendar. */
#include <assert.h>

typedef struct date { int year, month, day; } date;

static const int month_days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    if (month == 2 && is_leap(year))
        return 29;
    return month_days[month - 1];
}

static int is_valid(date d)
{
    if (d.month < 1 || d.month > 12)
        return 0;
    return d.day >= 1 && d.day <= days_in_month(d.year, d.month);
}

static int day_of_year(date d)
{
    int days = d.day;
    for (int m = 1; m < d.month; m++)
        days += days_in_month(d.year, m);
    return days;
}

/* Days since 1 January 1970. */
static long to_days(date d)
{
    long days = 0;
    for (int y = 1970; y < d.year; y++)
        days += is_leap(y) ? 366 : 365;
    return days + day_of_year(d) - 1;
}

static date from_days(long days)
{
    date d = { 1970, 1, 1 };
    while (days >= (is_leap(d.year) ? 366 : 365)) {
        days -= is_leap(d.year) ? 366 : 365;
        d.year++;
    }
    while (days >= days_in_month(d.year, d.month)) {
        days -= days_in_month(d.year, d.month);
        d.month++;
    }
    d.day = (int)days + 1;
    return d;
}

/* 0 is Monday. */
static int weekday(date d)
{
    return (int)((to_days(d) + 3) % 7);
}

static date add_months(date d, int months)
{
    int m = d.month - 1 + months;
    d.year += m / 12;
    d.month = m % 12 + 1;
    if (d.day > days_in_month(d.year, d.month))
        d.day = days_in_month(d.year, d.month);
    return d;
}

static int compare(date a, date b)
{
    if (a.year != b.year)
        return a.year < b.year ? -1 : 1;
    if (a.month != b.month)
        return a.month < b.month ? -1 : 1;
    return (a.day > b.day) - (a.day < b.day);
}

/* Working days from a up to but without b. */
static int working_days(date a, date b)
{
    int n = 0;
    long end = to_days(b);
    int wd = weekday(a);
    for (long day = to_days(a); day < end; day++) {
        if (wd < 5)
            n++;
        wd = (wd + 1) % 7;
    }
    return n;
}

static void test_leap(void)
{
    assert(is_leap(2024));
    assert(!is_leap(2023));
    assert(!is_leap(1900));
    assert(is_leap(2000));
}

static void test_valid(void)
{
    assert(is_valid((date){ 2024, 2, 29 }));
    assert(!is_valid((date){ 2023, 2, 29 }));
    assert(!is_valid((date){ 2023, 4, 31 }));
    assert(is_valid((date){ 2023, 12, 31 }));
    assert(!is_valid((date){ 2023, 13, 1 }));
    assert(!is_valid((date){ 2023, 0, 1 }));
    assert(!is_valid((date){ 2023, 5, 0 }));
}

static void test_days(void)
{
    assert(to_days((date){ 1970, 1, 1 }) == 0);
    assert(to_days((date){ 1972, 3, 1 }) == 790);
    assert(day_of_year((date){ 2024, 12, 31 }) == 366);
    date d = from_days(790);
    assert(d.year == 1972 && d.month == 3 && d.day == 1);
    d = from_days(364);
    assert(d.year == 1970 && d.month == 12 && d.day == 31);
}

static void test_weekday(void)
{
    assert(weekday((date){ 1970, 1, 1 }) == 3);
    assert(weekday((date){ 1999, 12, 31 }) == 4);
}

static void test_months(void)
{
    date d = add_months((date){ 2023, 10, 31 }, 4);
    assert(d.year == 2024);
    assert(d.month == 2);
    assert(d.day == 29);
    d = add_months((date){ 2023, 1, 15 }, 11);
    assert(d.year == 2023 && d.month == 12 && d.day == 15);
}

static void test_compare(void)
{
    assert(compare((date){ 2020, 5, 5 }, (date){ 2021, 1, 1 }) < 0);
    assert(compare((date){ 2020, 5, 5 }, (date){ 2020, 4, 9 }) > 0);
    assert(compare((date){ 2020, 5, 5 }, (date){ 2020, 5, 5 }) == 0);
    assert(compare((date){ 2020, 5, 4 }, (date){ 2020, 5, 5 }) == -1);
}

static void test_working_days(void)
{
    assert(working_days((date){ 1970, 1, 1 }, (date){ 1970, 1, 8 }) == 5);
    assert(working_days((date){ 1970, 1, 3 }, (date){ 1970, 1, 5 }) == 0);
}

int main(void)
{
    test_leap();
    test_valid();
    test_days();
    test_weekday();
    test_months();
    test_compare();
    test_working_days();
    return 0;
}
