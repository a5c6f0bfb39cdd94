#include "joular/report.h"

#include <math.h>
#include <stdlib.h>

#define TOP 10

static int by_own_energy(const void *left, const void *right)
{
    const struct result_method *const *a = left, *const *b = right;
    if ((*a)->own_j != (*b)->own_j)
        return (*a)->own_j > (*b)->own_j ? -1 : 1;
    return (*a)->name < (*b)->name ? -1 : (*a)->name > (*b)->name;
}

void report_text(const struct result *r, FILE *out)
{
    const struct result_method **order = mem_zero(r->methods.n, sizeof(struct result_method *));
    double native_j = 0;
    for (int row = 0; row < NATIVE_ROWS; row++)
        native_j += r->native_j[row];
    const char *estimated = r->estimated ? " (estimated)" : "";
    fprintf(out, "Machine%s      %12.3f J\n", estimated, r->machine_j);
    fprintf(out, "Process%s      %12.3f J\n", estimated, r->process_j);
    fprintf(out, "  Java         %12.3f J\n", r->java_j);
    fprintf(out, "  JVM threads  %12.3f J\n", native_j);
    fprintf(out, "  unattributed %12.3f J\n", r->unattributed_j);
    fprintf(out, "  outside      %12.3f J\n", r->outside_j);
    for (size_t i = 0; i < r->methods.n; i++)
        order[i] = &r->methods.v[i];
    if (r->methods.n != 0)
        qsort(order, r->methods.n, sizeof *order, by_own_energy);
    for (size_t i = 0; i < r->methods.n && i < TOP; i++) {
        char name[400];
        const struct intern_text *text = result_name(r, order[i]->name);
        text_printable(name, sizeof name, text->text, text->length);
        fprintf(out, "%12.3f J  %s\n", order[i]->own_j, name);
    }
    free(order);
}
