/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dates and seconds in text, to nanoseconds. */
#include "joular/clock.h"
#include "joular/text.h"

#include <string.h>
#include <time.h>

struct reader {
    const char *p, *end;
    bool bad;
};

static int64_t digits(struct reader *r, size_t most, size_t *count)
{
    int64_t value = 0;
    size_t n = 0;
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9' && n < most) {
        value = value * 10 + (*r->p++ - '0');
        n++;
    }
    if (n == 0 || (r->p < r->end && *r->p >= '0' && *r->p <= '9'))
        r->bad = true;
    if (count != NULL)
        *count = n;
    return value;
}

static bool skip(struct reader *r, char c)
{
    if (r->p == r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

static int number_between(struct reader *r, int least, int most)
{
    int64_t value = digits(r, 4, NULL);
    if (value < least || value > most)
        r->bad = true;
    return (int)value;
}

/* The fraction of a second, ".5" or ",5"; 0 if there is none. */
static int64_t fraction_ns(struct reader *r)
{
    size_t count;
    if (!skip(r, '.') && !skip(r, ','))
        return 0;
    int64_t value = digits(r, 9, &count);
    for (; count < 9; count++)
        value *= 10;
    return value;
}

/* Reads the zone: seconds east of Greenwich. False if the text ends before it, which means local time. */
static bool zone(struct reader *r, int64_t *east_s)
{
    *east_s = 0;
    if (r->p == r->end)
        return false;
    if (skip(r, 'Z'))
        return true;
    bool west = skip(r, '-');
    if (!west && !skip(r, '+')) {
        r->bad = true;
        return true;
    }
    if (r->end - r->p < 4) {
        r->bad = true;
        return true;
    }
    struct reader hours = {r->p, r->p + 2, false};
    int h = number_between(&hours, 0, 18);
    r->p += 2;
    skip(r, ':');
    int m = number_between(r, 0, 59);
    r->bad |= hours.bad;
    *east_s = (int64_t)(h * 60 + m) * (west ? -60 : 60);
    return true;
}

bool text_to_date_ns(const char *text, size_t length, int64_t *ns)
{
    struct reader r = {text, text + length, false};
    struct tm tm = {.tm_isdst = -1};
    int64_t east_s;
    tm.tm_year = number_between(&r, 1970, 2115) - 1900;
    r.bad |= !skip(&r, '-');
    tm.tm_mon = number_between(&r, 1, 12) - 1;
    r.bad |= !skip(&r, '-');
    tm.tm_mday = number_between(&r, 1, 31);
    r.bad |= !skip(&r, ' ') && !skip(&r, 'T');
    tm.tm_hour = number_between(&r, 0, 23);
    r.bad |= !skip(&r, ':');
    tm.tm_min = number_between(&r, 0, 59);
    int64_t part_ns = 0;
    if (skip(&r, ':')) {
        tm.tm_sec = number_between(&r, 0, 60);
        part_ns = fraction_ns(&r);
    }
    bool has_zone = zone(&r, &east_s);
    if (r.bad || r.p != r.end)
        return false;
    struct tm wanted = tm;
    time_t seconds = has_zone ? timegm(&tm) : mktime(&tm);
    if (tm.tm_mday != wanted.tm_mday || tm.tm_mon != wanted.tm_mon) /* February 30 */
        return false;
    *ns = ((int64_t)seconds - east_s) * 1000000000 + part_ns;
    return true;
}

bool text_to_seconds_ns(const char *text, size_t length, int64_t *ns)
{
    struct reader r = {text, text + length, false};
    bool negative = skip(&r, '-');
    int64_t seconds = digits(&r, 10, NULL);
    int64_t part_ns = fraction_ns(&r);
    if (r.bad || r.p != r.end || seconds >= TIME_LIMIT_NS / 1000000000)
        return false;
    *ns = seconds * 1000000000 + part_ns;
    if (negative)
        *ns = -*ns;
    return true;
}
