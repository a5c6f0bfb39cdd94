/* Leaving in the middle: memory ends, a mapped file becomes shorter than it was (SIGBUS), a signal says so. What is
 * half made is removed, and of all but a signal a line is said. */
#ifndef JOULAR_LEAVE_H
#define JOULAR_LEAVE_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the handlers of memory and of SIGBUS: PROGRAM says why, and ends with STATUS. */
void leave_prepare(const char *program, int status);
/* SIGINT, SIGTERM and SIGHUP remove what is half made and end the program as they would have; one that is ignored
 * (nohup) stays so. A file that becomes too large is a failed write instead of a signal. */
void leave_on_signals(void);
/* A program that would have more than BYTES of its own memory (mapped files are not counted) says so and leaves. 0:
 * half of the machine's. Without effect in builds with AddressSanitizer, whose shadow is counted too. */
void leave_at_memory(uint64_t bytes);

/* Says WORDS and leaves. */
void leave_now(const char *words) __attribute__((noreturn));

/* What is removed on the way out: NAME in the open folder DIR_FD (AT_FDCWD too), which is a folder itself where
 * IS_FOLDER. It is noted before it is made. NAME must live until leftover_forget, which takes the same pointer. The
 * last noted is removed first. */
void leftover_note(int dir_fd, const char *name, bool is_folder);
void leftover_forget(const char *name);
void leftovers_remove(void);

#endif
