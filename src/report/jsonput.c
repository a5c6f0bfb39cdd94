#include "jsonput.h"

#include "joular/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Nothing in the text may end the script or turn the source around it: of ASCII "<", ">" and "&" are escaped with the
 * controls, and all of U+0080 to U+009F, U+061C, U+2000 to U+206F, U+FEFF and U+FFF0 to U+FFFF. */
static bool is_plain(const unsigned char *p, unsigned length, uint32_t *code)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    *code = p[0] & first[length];
    for (unsigned i = 1; i < length; i++)
        *code = *code << 6 | (p[i] & 0x3f);
    if (length == 1)
        return *code >= 0x20 && *code != 0x7f && strchr("\"\\<>&", (int)*code) == NULL;
    return !(*code < 0xa0 || *code == 0x61c || (*code >= 0x2000 && *code < 0x2070) || *code == 0xfeff ||
             (*code >= 0xfff0 && *code <= 0xffff));
}

void json_put_string(const char *text, size_t length, FILE *out)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + length;
    putc_unlocked('"', out);
    while (p < end) {
        unsigned n = utf8_length(p, end);
        uint32_t code = 0xfffd;
        if (n != 0 && is_plain(p, n, &code))
            fwrite_unlocked(p, 1, n, out);
        else
            fprintf(out, "\\u%04" PRIx32, code);
        p += n != 0 ? n : 1;
    }
    putc_unlocked('"', out);
}

void json_put_number(double value, FILE *out)
{
    if (isfinite(value))
        decimal_write_general(out, value, 9);
    else
        fputs("null", out);
}
