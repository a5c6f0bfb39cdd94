/* An invocation: one run, or several of the same command. */
#ifndef JOULAR_RECORD_SESSION_H
#define JOULAR_RECORD_SESSION_H

#include "record.h"

struct run_result {
    struct outcome outcome;
    char *log, *recording; /* recording NULL: none */
    int status;            /* of the program */
};

struct session {
    const struct options *options;
    struct user user;
    const struct power_source *source;
    void *state; /* of the source, open for all runs */
    char *reason;
    struct notices warnings;
    size_t warnings_said;
    char *command; /* as one line */
    double baseline_w;
    struct metrics *metrics; /* NULL: none wanted */
    bool several;            /* runs have folders of their own */
    VEC(struct run_result) results;
};

/* ---- repeat.c: what several runs say ---- */
void report_session(const struct session *session);
enum status write_json(const struct session *session, struct error *err) WARN_UNUSED;

#endif
