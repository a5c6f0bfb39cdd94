/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session.h"

#include "joular/clock.h"
#include "joular/file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *joined(char **words)
{
    VEC(char) out = {0};
    for (size_t i = 0; words[i] != NULL; i++) {
        char *quoted = shell_quoted(words[i]);
        if (i > 0)
            vec_push(&out, ' ');
        for (const char *p = quoted; *p != '\0'; p++)
            vec_push(&out, *p);
        free(quoted);
    }
    vec_push(&out, '\0');
    return out.v;
}

/* The path of a run's FILE: FILE itself, or, if there are several runs, the same name in the folder run-N beside it. */
static char *file_of_run(const struct session *s, const char *file, int64_t run)
{
    const char *slash = strrchr(file, '/');
    size_t folder = slash != NULL ? (size_t)(slash - file) + 1 : 0, room = strlen(file) + 32;
    char *path = mem_alloc(room);
    if (s->several)
        snprintf(path, room, "%.*srun-%" PRId64 "/%s", (int)folder, file, run, file + folder);
    else
        snprintf(path, room, "%s", file);
    return path;
}

static enum status make_folder(const struct session *s, const char *file, struct error *err)
{
    struct stat st;
    char *folder = mem_strdup(file);
    enum status status = STATUS_OK;
    *strrchr(folder, '/') = '\0';
    user_act(&s->user);
    int made = mkdir(folder, 0777), why = errno;
    user_act_end(&s->user);
    if (made != 0 && (why != EEXIST || lstat(folder, &st) != 0 || !S_ISDIR(st.st_mode))) {
        status = error_set(err, STATUS_IO, "the folder cannot be made: %s",
                           why == EEXIST ? "something else has its name" : strerror(why));
        error_in_file(err, folder);
    }
    free(folder);
    return status;
}

/* Waits for the program, without a measurement. */
static void wait_for_child(struct child *child)
{
    while (!child_has_ended(child))
        signals_wait(clock_ns(CLOCK_MONOTONIC) + INT64_C(3600000000000), -1);
    child_reap(child);
}

static int exec_status(const char *command, int why)
{
    say(SAY_ERROR, "%s: %s", command, strerror(why));
    return why == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* A run without a measurement. Returns -1 to go on, else the exit status of joular-record. */
static int warm_up(struct session *s)
{
    struct child child;
    struct error err = {0};
    if (child_start(s->options->command, NULL, &s->user, &child, &err) != STATUS_OK) {
        say_error(&err);
        return EXIT_OURS;
    }
    int why = child_go(&child);
    if (why != 0)
        return exec_status(s->options->command[0], why);
    wait_for_child(&child);
    if (child.status > 128 || signals_asked_to_end() != 0)
        return child.status;
    return -1;
}

/* Starts the program, if there is one, and measures. *STATUS is the exit status of the program, or ours. */
static enum status start_and_measure(struct session *s, struct measurement *m, const struct jfr_plan *plan,
                                     struct outcome *outcome, int *status, struct error *err)
{
    struct child child = {.pid = -1, .go = -1, .failed = -1};
    int why = 0;
    if (m->command != NULL) {
        if (child_start(plan->command, plan->environment, &s->user, &child, err) != STATUS_OK)
            return err->status;
        m->child = &child;
        m->pid = child.pid;
    }
    enum status done = measure(m, outcome, &why, err);
    m->child = NULL;
    if (m->command == NULL)
        return done;
    if (why != 0) {
        *status = exec_status(plan->command[0], why);
        return STATUS_OK;
    }
    if (child.go >= 0) { /* an error came before child_go */
        child_drop(&child);
        return done;
    }
    if (!child_has_ended(&child))
        say(SAY_NOTE, "the measurement is over; the program runs on");
    wait_for_child(&child);
    *status = child.status;
    if (done != STATUS_OK) { /* the end of the log could not be written, but the program has run */
        say_error(err);
        *err = (struct error){0};
    }
    return STATUS_OK;
}

static enum status prepare_recording(struct session *s, const char *recording, int64_t run, struct jfr_plan *plan,
                                     struct error *err)
{
    const struct options *o = s->options;
    *plan = (struct jfr_plan){.command = o->command};
    if (!o->jfr)
        return STATUS_OK;
    if (o->pid != 0)
        return jfr_attach(o, recording, &s->user, plan, err);
    enum status status = jfr_prepare(o, recording, &s->user, run <= 1, plan, err);
    if (status == STATUS_OK && plan->active && stat(plan->recording, &plan->before) != 0)
        plan->before = (struct stat){0};
    return status == STATUS_OK ? jfr_write_settings(o, plan, &s->user, err) : status;
}

/* Returns -1 to go on, else the exit status of joular-record. */
static int run_once(struct session *s, int64_t run)
{
    const struct options *o = s->options;
    struct error err = {0};
    struct jfr_plan plan = {0};
    struct run_result result = {.log = file_of_run(s, o->output, run),
                                .recording = file_of_run(s, o->recording != NULL ? o->recording : "run.jfr", run),
                                .status = -1};
    struct measurement m = {.options = o,
                            .user = &s->user,
                            .source = s->source,
                            .state = s->state,
                            .reason = s->reason,
                            .warnings = &s->warnings,
                            .warnings_said = &s->warnings_said,
                            .pid = o->pid,
                            .log = result.log,
                            .command = s->command,
                            .run = s->several ? run : 0,
                            .baseline_w = s->baseline_w,
                            .metrics = s->metrics};
    enum status status = s->several ? make_folder(s, result.log, &err) : STATUS_OK;
    if (status == STATUS_OK && s->several && o->jfr)
        status = make_folder(s, result.recording, &err);
    if (status == STATUS_OK)
        status = prepare_recording(s, result.recording, run, &plan, &err);
    if (status == STATUS_OK)
        status = start_and_measure(s, &m, &plan, &result.outcome, &result.status, &err);
    if (plan.attached)
        jfr_detach(o, &plan);
    if (status != STATUS_OK) {
        say_error(&err);
        result.status = EXIT_OURS;
    } else if (result.outcome.cycles > 0) {
        if (s->several)
            say_plain("RUN %" PRId64 " of %" PRId64 "%s", run, o->runs, result.status != 0 ? ", which failed" : "");
        report_outcome(&m, &result.outcome);
        jfr_next_command(&plan, &result.outcome, &m);
    }
    bool stop = status != STATUS_OK || result.outcome.cycles == 0 || result.status > 128 || signals_asked_to_end() != 0;
    int ends_with = stop ? (result.status >= 0 ? result.status : 0) : -1;
    if (!o->jfr) {
        free(result.recording);
        result.recording = NULL;
    }
    jfr_plan_free(&plan, &s->user);
    vec_push(&s->results, result);
    return ends_with;
}

/* False if the program must not be started: there is no power, and --require-power was given. */
static bool open_source(struct session *s)
{
    const struct options *o = s->options;
    struct error err = {0};
    s->source = source_by_name(o->source_name, &o->source);
    if (s->source->open(&o->source, &s->state, &s->warnings, &err) != STATUS_OK) {
        say_error(&err);
        if (s->source == &source_ringbuffer && strcmp(o->source_name, "auto") == 0)
            say(SAY_ERROR, "nor is there RAPL (--doctor says more); where there is no meter at all, as on most cloud "
                           "machines: -s estimate --idle-watts W --max-watts W, the power by the load of the machine");
        if (o->require_power) {
            if (s->state != NULL)
                s->source->close(s->state);
            return false;
        }
        char words[2048];
        s->reason = mem_strdup(error_words(&err, words, sizeof words));
        say(SAY_NOTE, "%s",
            s->state != NULL ? "no power yet; the log will have it when there is some" : "the log will have no power");
    }
    say_texts(&s->warnings, &s->warnings_said);
    say(SAY_DETAIL, "power source: %s, %s", s->source->name, s->source->summary);
    return true;
}

static void take_baseline(struct session *s)
{
    if (s->options->baseline_s <= 0 || s->state == NULL)
        return;
    say(SAY_NOTE, "measuring the idle power for %g s", s->options->baseline_s);
    s->baseline_w = measure_baseline(s->options, s->source, s->state, &s->warnings);
    if (isnan(s->baseline_w))
        say(SAY_NOTE, "the idle power could not be measured");
    else
        say(SAY_NOTE, "idle power %.3f W", s->baseline_w);
}

static int run_all(struct session *s)
{
    const struct options *o = s->options;
    int end = -1, first_failure = 0;
    for (int64_t i = 0; i < o->warmup && end < 0 && signals_asked_to_end() == 0; i++) {
        say(SAY_NOTE, "warm-up %" PRId64 " of %" PRId64, i + 1, o->warmup);
        end = warm_up(s);
    }
    for (int64_t run = 1; run <= o->runs && end < 0; run++) {
        end = run_once(s, run);
        int status = s->results.v[s->results.n - 1].status;
        if (first_failure == 0 && status > 0)
            first_failure = status;
    }
    return end >= 0 ? end : first_failure;
}

static int measure_all(struct session *s)
{
    struct error err = {0};
    if (!open_source(s))
        return EXIT_OURS;
    take_baseline(s);
    if (s->options->prometheus != NULL)
        s->metrics = metrics_new(s->options->prometheus, s->source->name, s->state != NULL, &s->user);
    int status = signals_asked_to_end() != 0 ? 128 + signals_asked_to_end() : run_all(s);
    if (s->several && s->results.n > 0)
        report_session(s);
    if (s->options->json != NULL && s->results.n > 0 && write_json(s, &err) != STATUS_OK) {
        say_error(&err);
        status = status != 0 ? status : EXIT_OURS;
    }
    if (s->state != NULL)
        s->source->close(s->state);
    return status;
}

static int print_command(const struct session *s)
{
    const struct options *o = s->options;
    struct jfr_plan plan = {.command = o->command};
    struct error err = {0};
    if (o->jfr &&
        jfr_prepare(o, o->recording != NULL ? o->recording : "run.jfr", &s->user, true, &plan, &err) != STATUS_OK) {
        say_error(&err);
        return EXIT_OURS;
    }
    char *line = joined(plan.command);
    if (plan.environment != NULL) {
        size_t name = strcspn(plan.environment, "=") + 1;
        char *value = shell_quoted(plan.environment + name);
        printf("%.*s%s ", (int)name, plan.environment, value);
        free(value);
    }
    puts(line);
    free(line);
    jfr_plan_free(&plan, NULL);
    return 0;
}

static int check_command(const struct options *o)
{
    char *path;
    if (o->command[0] == NULL)
        return 0;
    int found = child_lookup(o->command[0], &path);
    free(path);
    const char *ending = strrchr(o->command[0], '.');
    if (found != 0)
        say(SAY_ERROR, "%s: %s%s", o->command[0], found == EXIT_NOT_FOUND ? "not found" : "cannot be executed",
            ending != NULL && strcmp(ending, ".jar") == 0 ? "; a jar is run by java -jar" : "");
    return found;
}

static void advise(const struct options *o)
{
    const char *sudo_user = getenv("SUDO_USER");
    if (o->command[0] == NULL)
        return;
    const char *name = path_name(o->command[0]);
    if (o->user == NULL && geteuid() == 0 && sudo_user != NULL && strcmp(sudo_user, "root") != 0)
        say(SAY_NOTE, "the program runs as root; with --user %s it runs as you, and the files are yours", sudo_user);
    if (strcmp(name, "gradle") != 0 && strcmp(name, "gradlew") != 0)
        return;
    for (char **word = o->command + 1; *word != NULL; word++)
        if (strcmp(*word, "--no-daemon") == 0)
            return;
    say(SAY_NOTE, "Gradle's daemon is no child of this command and is not followed: use --no-daemon");
}

static void session_free(struct session *s)
{
    for (size_t i = 0; i < s->results.n; i++) {
        outcome_free(&s->results.v[i].outcome);
        free(s->results.v[i].log);
        free(s->results.v[i].recording);
    }
    vec_free(&s->results);
    metrics_free(s->metrics);
    notices_free(&s->warnings);
    user_free(&s->user);
    free(s->command);
    free(s->reason);
}

int record_all(const struct options *options)
{
    struct session s = {.options = options, .baseline_w = NAN, .several = options->runs > 1};
    struct error err = {0};
    int status = check_command(options);
    if (status == 0 && user_find(options->user, &s.user, &err) != STATUS_OK) {
        say_error(&err);
        status = EXIT_OURS;
    }
    if (status == 0 && options->pid != 0 && !proc_runs(options->proc, options->pid)) {
        say(SAY_ERROR, "--pid: there is no process %" PRId64 " in %s", options->pid, options->proc);
        status = EXIT_OURS;
    }
    if (status == 0) {
        if (options->command[0] != NULL)
            s.command = joined(options->command);
        if (options->dry_run) {
            status = print_command(&s);
        } else {
            advise(options);
            signals_begin(options->command[0] == NULL);
            status = measure_all(&s);
        }
    }
    session_free(&s);
    return status;
}
