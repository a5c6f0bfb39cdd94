/* SPDX-License-Identifier: GPL-3.0-or-later */
/* properties_show FILE...: prints what properties_read reads in each, into FILE with .seen in place of .properties. */
#include "joular/file.h"
#include "joular/properties.h"

#include <stdio.h>
#include <stdlib.h>

static void show(const char *text, FILE *out)
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p != '\0') {
        unsigned length = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
        uint32_t code = length == 1 ? *p : *p & (0x7fU >> length);
        for (unsigned i = 1; i < length; i++)
            code = code << 6 | (p[i] & 0x3f);
        fprintf(out, "%x.", code);
        p += length;
    }
}

static int by_key(const void *a, const void *b)
{
    const struct property *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static int show_file(const char *name)
{
    struct file_bytes file;
    struct properties properties;
    struct error err = {0};
    char *seen = mem_strdup(name);
    char *dot = strstr(seen, ".properties");
    if (dot == NULL || file_read(name, &file, &err) != STATUS_OK)
        return 1;
    memcpy(dot, ".seen", 6);
    FILE *out = fopen(seen, "w");
    if (out == NULL)
        return 1;
    enum status status = properties_read(file.bytes, file.length, &properties, &err);
    if (status != STATUS_OK)
        fputs("refused\n", out);
    else if (properties.n > 0)
        qsort(properties.v, properties.n, sizeof *properties.v, by_key);
    for (size_t i = 0; status == STATUS_OK && i < properties.n; i++) {
        if (properties_find(&properties, properties.v[i].key) != &properties.v[i])
            continue; /* an earlier one of the same key */
        show(properties.v[i].key, out);
        fputs(" -> ", out);
        show(properties.v[i].value, out);
        fputc('\n', out);
    }
    fclose(out);
    properties_free(&properties);
    file_release(&file);
    free(seen);
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (show_file(argv[i]) != 0)
            return 1;
    return 0;
}
