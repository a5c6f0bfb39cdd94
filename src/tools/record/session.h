/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All runs of one joular-record: one, or several of the same command. */
#ifndef JOULAR_RECORD_SESSION_H
#define JOULAR_RECORD_SESSION_H

#include "record.h"

struct run_result {
    struct outcome outcome;
    char *log, *recording; /* paths; recording is NULL if there is none */
    int status;            /* exit status of the program, or ours; -1 if there was no program */
};

struct session {
    const struct options *options;
    struct user user;
    const struct power_source *source;
    void *state;  /* of the source, which stays open for all runs; NULL if it could not be opened */
    char *reason; /* why there is no power; NULL if there is */
    struct notices warnings;
    size_t warnings_said;    /* how many of them were printed */
    char *command;           /* as one line, quoted for a shell; NULL for none */
    double baseline_w;       /* NaN if not measured */
    struct metrics *metrics; /* NULL without --prometheus */
    bool several;            /* each run has a folder of its own */
    VEC(struct run_result) results;
};

/* ---- repeat.c: results of several runs ---- */
void report_session(const struct session *session);
enum status write_json(const struct session *session, struct error *err) WARN_UNUSED;

#endif
