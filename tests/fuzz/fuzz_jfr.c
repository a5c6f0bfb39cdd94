/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording, through everything that joular-analyze does with it. The header's byte 65 and the upper byte of its
 * flags, which mean nothing, choose how. */
#include "fuzz.h"

#include "joular/clock.h"

const char *const fuzz_name = "jfr";

#define MOST_SECONDS 1000 /* of a log that is made from load: a cycle each, up to some millions */

static void take_event(void *user, unsigned spec, const struct jfr_value *values, uint64_t at)
{
    (void)user, (void)spec, (void)values, (void)at;
}

static int64_t start_of(const struct jfr_chunk_list *chunks)
{
    return chunks->n != 0 ? chunks->v[0].header.start_ns : 0;
}

/* Whether the chunks lie close enough together for a log made from load. */
static bool are_near(const uint8_t *bytes, const struct jfr_chunk_list *chunks)
{
    static const struct jfr_event_spec none = {"", {NULL}};
    struct jfr_reader *reader = jfr_reader_new(&none, 0);
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
    for (size_t c = 0; c < chunks->n; c++) {
        const struct jfr_header *header = &chunks->v[c].header;
        struct jfr_damage damage = {0};
        struct error err = {0};
        if (jfr_read_chunk(reader, bytes, &chunks->v[c], take_event, NULL, &damage, &err) != STATUS_OK)
            continue;
        int64_t start_ns = time_within(header->start_ns);
        int64_t end_ns = jfr_has_end(header) ? time_sum(start_ns, header->duration_ns) : jfr_last_event_ns(reader);
        first_ns = start_ns < first_ns ? start_ns : first_ns;
        last_ns = end_ns > last_ns ? end_ns : last_ns;
    }
    jfr_reader_free(reader);
    return time_difference(last_ns, first_ns) / 1000000000 < MOST_SECONDS;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct collect_input input = {"fuzz.jfr", bytes, length, NULL};
    unsigned choice = length >= JFR_HEADER_SIZE ? (unsigned)bytes[65] | (unsigned)bytes[66] << 8 : 0;
    struct jfr_chunk_list chunks = {0};
    struct jfr_damage damage = {0};
    struct error err = {0};
    struct power_log log;
    enum status status = jfr_list_chunks(bytes, length, &chunks, &damage, &err);
    if (status == STATUS_OK && (choice & CHOICE_ESTIMATE) && are_near(bytes, &chunks)) {
        if (collect_estimated_log(&input, 1, 5, 20, &log, &err) == STATUS_OK && log.cycles.n != 0)
            fuzz_analyze(bytes, length, &log, choice);
    } else {
        fuzz_log(&log, start_of(&chunks), (choice & CHOICE_RECORDS) != 0);
        fuzz_analyze(bytes, length, &log, choice);
    }
    vec_free(&chunks);
    power_log_free(&log);
    return 0;
}
