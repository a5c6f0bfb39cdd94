/* Names of methods as the rows have them. */
#ifndef JOULAR_METHODNAME_H
#define JOULAR_METHODNAME_H

#include "joular/jfr.h"

/* Section 1, names: class as the JVM has it and method to "package.Class.method", appended to BUFFER, which grows. */
struct name_buffer {
    char *v;
    size_t n, cap;
};
void method_name(struct name_buffer *buffer, const struct jfr_method *method);

#endif
