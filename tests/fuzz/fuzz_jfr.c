/* A recording, through everything that joular-analyze does with it. The header's byte 65 and the upper byte of its
 * flags, which mean nothing, choose how. */
#include "fuzz.h"

const char *const fuzz_name = "jfr";

#define MOST_SECONDS 1000 /* of a log that is made from load: a cycle each, up to some millions */

static int64_t start_of(const uint8_t *bytes, size_t length)
{
    struct jfr_chunk_list chunks = {0};
    struct jfr_damage damage = {0};
    struct error err = {0};
    enum status status = jfr_list_chunks(bytes, length, &chunks, &damage, &err);
    int64_t start_ns = status == STATUS_OK && chunks.n != 0 ? chunks.v[0].header.start_ns : 0;
    vec_free(&chunks);
    return start_ns;
}

/* Whether the chunks lie close enough together for a log made from load. */
static bool is_short(const struct energy_input *input, const struct power_log *log)
{
    struct energy_collect_options options = {.keep_samples = KEEP_NO_SAMPLES, .jobs = 1};
    struct observed observed;
    struct jfr_damage damage = {0};
    struct notices notices = {0};
    struct error err = {0};
    observed_init(&observed);
    enum status status = energy_collect(input, 1, log, &options, &observed, &damage, &notices, &err);
    bool is_short = status == STATUS_OK && (observed.end_wall_ns - observed.start_wall_ns) / 1000000000 < MOST_SECONDS;
    observed_free(&observed);
    notices_free(&notices);
    return is_short;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct energy_input input = {"fuzz.jfr", bytes, length, NULL};
    unsigned choice = length >= JFR_HEADER_SIZE ? (unsigned)bytes[65] | (unsigned)bytes[66] << 8 : 0;
    struct power_log log;
    fuzz_log(&log, start_of(bytes, length), (choice & CHOICE_RECORDS) != 0);
    if ((choice & CHOICE_ESTIMATE) && is_short(&input, &log)) {
        struct error err = {0};
        power_log_free(&log);
        if (energy_estimate_log(&input, 1, 5, 20, &log, &err) == STATUS_OK && log.cycles.n != 0)
            fuzz_analyze(bytes, length, &log, choice);
    } else {
        fuzz_analyze(bytes, length, &log, choice);
    }
    power_log_free(&log);
    return 0;
}
