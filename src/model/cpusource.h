/* Section 4: where the CPU time of threads comes from. */
#ifndef JOULAR_CPUSOURCE_H
#define JOULAR_CPUSOURCE_H

#include "modeldata.h"

/* Sets the result's cpu_source; of thread records it makes group_of_record, and groups for threads that only the log
 * has. */
void model_choose_cpu_source(struct model *m);

#endif
