/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model_case.h"

void case_cpu_sample(struct model_case *c, uint32_t thread, const char *branch, int at_ms, int period_ms)
{
    uint32_t number = case_branch(c, branch);
    struct observed_cell cell = {
        case_cycle_at(c, at_ms), observed_thread_or_anonymous(&c->observed, thread, number), number, SAMPLE_CPU_TIME, 1,
        period_ms * MS};
    observe_cpu_time_samples(&c->observed, 1);
    observe_cell(&c->observed, cell);
}

void case_samples_end(struct model_case *c)
{
    (void)c;
}

void case_samples_free(struct model_case *c)
{
    (void)c;
}
