/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jfc-show: prints the settings that joular-record makes, with the samples of every JDK at 10 ms: what joular.jfc has.
 */
#include "../../src/tools/record/record.h"

#include <stdio.h>

int main(void)
{
    char *text = jfc_text(JFC_BOTH, "10ms");
    fputs(text, stdout);
    free(text);
    return 0;
}
