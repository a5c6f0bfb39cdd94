/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ending the program early: memory ran out, a mapped file became shorter (SIGBUS), or a signal came. Unfinished files
 * are removed, and a line says why, except after a signal. */
#ifndef JOULAR_LEAVE_H
#define JOULAR_LEAVE_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the handlers for memory that ran out and for SIGBUS: they print a line that begins with PROGRAM, and end the
 * program with STATUS. */
void leave_prepare(const char *program, int status);
/* SIGINT, SIGTERM and SIGHUP then remove unfinished files before they end the program; a signal that is ignored (nohup)
 * stays ignored. Writing beyond the limit of a file's size becomes a failed write instead of a signal. */
void leave_on_signals(void);
/* Ends the program with a message when it needs more than BYTES of its own memory (mapped files are not counted). 0
 * means half of the machine's memory. No effect with AddressSanitizer, whose shadow memory would be counted. */
void leave_at_memory(uint64_t bytes);

/* Removes unfinished files, prints WORDS and ends the program. */
void leave_now(const char *words) __attribute__((noreturn));

/* Unfinished files, removed when the program ends early: NAME in the open folder DIR_FD (or AT_FDCWD); IS_FOLDER if
 * NAME is a folder itself. Call leftover_note before the file is made. NAME must stay valid until leftover_forget,
 * which takes the same pointer. The last one noted is removed first. */
void leftover_note(int dir_fd, const char *name, bool is_folder);
void leftover_forget(const char *name);
void leftovers_remove(void);

#endif
