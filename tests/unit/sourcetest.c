/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sourcetest.h"
#include "faketree.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

int fixture_setup(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    f->root = tree_new();
    f->powercap = mem_strdup(tree_path(f->root, "sys/class/powercap"));
    f->ringbuffer = mem_strdup(tree_path(f->root, "powerjoular"));
    f->vm_file = mem_strdup(tree_path(f->root, "vm.csv"));
    f->proc = mem_strdup(tree_path(f->root, "proc"));
    f->options = (struct source_options){.powercap = f->powercap,
                                         .ringbuffer = f->ringbuffer,
                                         .vm_file = f->vm_file,
                                         .proc = f->proc,
                                         .idle_w = NAN,
                                         .max_w = NAN,
                                         .interval_ns = SECOND};
    *state = f;
    return 0;
}

void fixture_close(struct fixture *f)
{
    if (f->source != NULL)
        f->source->close(f->state);
    f->source = NULL;
    f->state = NULL;
    notices_free(&f->warnings);
    f->err = (struct error){0};
}

int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    fixture_close(f);
    tree_free(f->root);
    free(f->powercap);
    free(f->ringbuffer);
    free(f->vm_file);
    free(f->proc);
    free(f);
    return 0;
}

enum status fixture_open(struct fixture *f, const struct power_source *source)
{
    fixture_close(f);
    f->source = source;
    enum status status = source->open(&f->options, &f->state, &f->warnings, &f->err);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    f->now_ns = now.tv_sec * SECOND + now.tv_nsec;
    return status;
}

enum source_outcome fixture_read_after(struct fixture *f, double seconds)
{
    f->now_ns += (int64_t)(seconds * 1e9);
    f->source->read(f->state, f->now_ns, NAN, &f->reading, &f->warnings);
    return f->reading.outcome;
}

unsigned texts_with(const struct notices *texts, const char *piece)
{
    unsigned n = 0;
    for (size_t i = 0; i < texts->n; i++)
        n += strstr(texts->v[i], piece) != NULL;
    return n;
}

void assert_words(const char *text, const char *piece)
{
    if (strstr(text, piece) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", piece, text);
}

void assert_near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%.9g is not within %g of %.9g", value, within, wanted);
}
