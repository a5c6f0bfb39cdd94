/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the files of a result, and prints its summary. */
#include "analyze.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static bool is_wanted(const struct options *options, const struct report_form *form)
{
    for (size_t i = 0; i < options->formats.n; i++)
        if (strcmp(options->formats.v[i], form->format) == 0 || strcmp(options->formats.v[i], "all") == 0)
            return true;
    return false;
}

#define MAX_FORMS 16

/* Forms do not depend on each other, so several threads write them. */
struct writing {
    const struct report_input *input;
    const struct report_form *forms[MAX_FORMS];
    struct outfile files[MAX_FORMS];
    struct error errors[MAX_FORMS];
    size_t count;
    atomic_size_t next;
};

static void *write_forms(void *argument)
{
    struct writing *w = argument;
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) {
        w->forms[i]->write(w->input, w->files[i].fresh, w->files[i].stream);
        (void)!outfile_finish(&w->files[i], &w->errors[i]);
    }
    return NULL;
}

static enum status write_side_by_side(struct writing *w, unsigned jobs, struct error *err)
{
    pthread_t threads[MAX_FORMS];
    size_t started = 0;
    while (started + 1 < jobs && started + 1 < w->count && pthread_create(&threads[started], NULL, write_forms, w) == 0)
        started++;
    write_forms(w);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < w->count; i++) {
        if (w->errors[i].status != STATUS_OK) {
            *err = w->errors[i];
            return err->status;
        }
    }
    return STATUS_OK;
}

enum status results_write(const struct options *options, const struct report_input *input, const struct outdir *dir,
                          struct error *err)
{
    struct writing w = {.input = input};
    enum status status = STATUS_OK;
    for (size_t i = 0; report_forms[i] != NULL && status == STATUS_OK; i++) {
        const struct report_form *form = report_forms[i];
        if (!is_wanted(options, form) || form->write == NULL)
            continue;
        status = outfile_begin(dir, form->file, options->append ? form->header : NULL, &w.files[w.count], err);
        if (status == STATUS_OK)
            w.forms[w.count++] = form;
    }
    if (status == STATUS_OK)
        status = write_side_by_side(&w, options->collect.jobs, err);
    for (size_t i = 0; i < w.count; i++) {
        if (status == STATUS_OK)
            status = outfile_commit(&w.files[i], err);
        outfile_abandon(&w.files[i]);
    }
    return status;
}

void results_say_missing(const struct options *options)
{
    for (size_t i = 0; report_forms[i] != NULL && !options->quiet; i++) {
        const struct report_form *form = report_forms[i];
        if (is_wanted(options, form) && form->write == NULL) /* wanted by "all", as options.c refuses its name */
            fprintf(stderr, PROGRAM ": %s is not written: this build lacks %s\n", form->file, form->needs);
    }
}

void results_say_older(const struct options *options, const struct outdir *dir)
{
    char shown[4096];
    size_t older = 0;
    text_printable(shown, sizeof shown, dir->path, strlen(dir->path));
    for (size_t i = 0; report_forms[i] != NULL && !options->quiet; i++) {
        const char *file = report_forms[i]->file;
        bool is_written = is_wanted(options, report_forms[i]) && report_forms[i]->write != NULL;
        if (is_written || faccessat(dir->fd, file, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (older++ == 0)
            fprintf(stderr, PROGRAM ": %s has files of an earlier analysis, which this one does not write: ", shown);
        fprintf(stderr, "%s%s", older > 1 ? ", " : "", file);
    }
    if (older != 0)
        fputc('\n', stderr);
}

void results_summarize(const struct options *options, const struct report_input *input, const char *folder)
{
    struct tty tty = tty_of(stdout);
    char shown[4096];
    text_printable(shown, sizeof shown, folder, strlen(folder));
    report_summary(input->whole, input->application, options->top, &tty, stdout);
    puts("\nFILES");
    for (size_t i = 0; report_forms[i] != NULL; i++)
        if (is_wanted(options, report_forms[i]) && report_forms[i]->write != NULL)
            printf("  %s/%s\n", shown, report_forms[i]->file);
}
