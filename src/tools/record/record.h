/* SPDX-License-Identifier: GPL-3.0-or-later */
/* joular-record: its options, and the steps of a run. */
#ifndef JOULAR_RECORD_H
#define JOULAR_RECORD_H

#include "joular/mem.h"
#include "joular/meter.h"
#include "joular/proc.h"

#include <sys/stat.h>
#include <sys/types.h>

#define PROGRAM "joular-record"

/* Exit statuses of joular-record itself. A usage error is not 2, which could be the program's. */
enum {
    EXIT_OURS = 125,
    EXIT_NOT_EXECUTABLE = 126,
    EXIT_NOT_FOUND = 127
};

struct options {
    struct source_options source;
    const char *source_name, *proc;
    enum proc_threads threads;
    const char *output, *user, *json, *config, *prometheus;
    int64_t interval_ms, pid;      /* pid 0 for none */
    double duration_s, baseline_s; /* 0 for none */
    int64_t runs, warmup;
    bool jfr;
    const char *recording; /* NULL for run.jfr */
    const char *throttle;  /* period ("10ms") or rate ("500/s") of samples */
    bool require_power, dry_run, doctor, quiet, verbose;
    char **command;       /* ends with NULL; command[0] is NULL if there is none */
    char *from_config[5]; /* owned: values from the file of -c, to which fields above point */
};

/* Reads the command line. Returns 0 to go on, else the exit status plus one. */
int options_read(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* ---- say.c: everything on stderr, one write a line ---- */

enum say_level {
    SAY_ERROR, /* also with -q */
    SAY_NOTE,
    SAY_DETAIL /* with -v only */
};
void say_set(bool quiet, bool verbose);
void say(enum say_level level, const char *format, ...) PRINTF_LIKE(2, 3);
void say_plain(const char *format, ...) PRINTF_LIKE(1, 2); /* a line of the report, without the program's name */
void say_error(const struct error *err);
/* Says the texts from number *SAID on, and moves *SAID to their end, so that each is said once. */
void say_texts(const struct notices *texts, size_t *said);

/* ---- user.c: --user ---- */

struct user {
    bool set;
    uid_t uid;
    gid_t gid;
    char *name, *home; /* NULL if the id is not in the list of users */
};
enum status user_find(const char *name, struct user *user, struct error *err) WARN_UNUSED;
/* The user who runs a process, by its real user id. (Its folder in PROC belongs to root if the process is not
 * dumpable.) USER is not set unless we are root and the process's user is another. */
void user_of_process(const char *proc, int64_t pid, struct user *user);
void user_free(struct user *user);
/* Between these two calls files are made with the user's rights, and belong to the user. */
void user_act(const struct user *user);
void user_act_end(const struct user *user);
bool user_become(const struct user *user); /* for good; in a child process */

/* ---- signals.c ---- */

/* Blocks the signals below; they are delivered in signals_wait, and between signals_open and signals_close. STOP_ENDS,
 * for when there is no child: SIGINT, SIGTERM and SIGHUP end the measurement. Otherwise signals that a process sent are
 * forwarded to the child; those of the terminal are not, since the child gets them itself. */
void signals_begin(bool stop_ends);
void signals_set_child(pid_t child);
void signals_open(void);
void signals_close(void);
/* Not 0 after a signal that ends a wait. */
extern volatile int signals_stop;
int signals_asked_to_end(void); /* which of SIGINT, SIGTERM and SIGHUP came last, or 0 */
/* Waits until a signal comes, DEADLINE_NS (CLOCK_MONOTONIC) is reached, or FD (-1 for none) is readable. */
void signals_wait(int64_t deadline_ns, int fd);
/* In a child process: signals and the limit of open files as they were when joular-record was started. */
void signals_restore(void);

/* ---- child.c: the program ---- */

struct child {
    pid_t pid;
    int go, failed; /* pipes: a byte to the child to go on; an errno from it if exec failed */
    bool reaped;
    int status; /* exit status as in a shell: 128 + n for signal n */
};
/* Looks COMMAND up as execvp does. Returns 0, EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE. PATH is set to its path, to be
 * freed, or to NULL. */
int child_lookup(const char *command, char **path);
/* Starts the child process, which waits for child_go before it becomes the program. ENVIRONMENT: "NAME=value" to set in
 * it, or NULL. */
enum status child_start(char **command, const char *environment, const struct user *user, struct child *child,
                        struct error *err) WARN_UNUSED;
/* Returns 0, or the errno of the failed exec (the child has then ended). */
int child_go(struct child *child);
void child_drop(struct child *child);            /* instead of child_go: the child ends */
bool child_has_ended(const struct child *child); /* it is not reaped by this, so that its CPU time can still be read */
void child_reap(struct child *child);            /* waits until it ends */

/* ---- measure.c: cycles ---- */

struct tally { /* CPU time of a process in a run */
    int64_t pid, ns_pid, cpu_ns;
    bool is_jvm;
    char name[64];
};

struct outcome {
    double energy_j;                  /* of all cycles with power; NaN if there is none */
    double powered_s;                 /* length of the cycles with power */
    double seconds;                   /* length of all cycles */
    double peak_w;                    /* NaN as energy_j */
    int64_t cpu_ns, busy_ns;          /* of the program and of the machine, in all cycles */
    int64_t unseen_ns;                /* proc_tree_unseen_ns */
    uint64_t cycles, unpowered, lost; /* all; those without power; those that could not be written to the log */
    VEC(struct tally) tallies;
    struct {
        char *name;
        double energy_j;
        bool counted;
        unsigned depth;
    } domains[64];
    size_t domain_count;
    bool incomplete; /* the last CPU time of a process could not be found out */
};
void outcome_free(struct outcome *outcome);

struct metrics;

struct measurement {
    const struct options *options;
    const struct user *user;
    const struct power_source *source;
    void *state;        /* of the source; NULL if it could not be opened */
    const char *reason; /* why there is no power; NULL if there is */
    struct notices *warnings;
    size_t *warnings_said;
    struct child *child; /* NULL for none */
    int64_t pid;         /* the process that is watched; 0 for none, the machine alone */
    const char *log, *command;
    int64_t run;             /* from 1; 0 if it is the only one */
    double baseline_w;       /* NaN if not measured */
    struct metrics *metrics; /* NULL without --prometheus */
};
/* Writes the log until the child or the watched process ends, the duration is over, or a signal ends the measurement.
 * The child becomes the program when everything is ready; *EXEC_ERRNO is the errno if that failed, else 0. */
enum status measure(const struct measurement *m, struct outcome *outcome, int *exec_errno,
                    struct error *err) WARN_UNUSED;
/* The idle power of the machine, measured for options->baseline_s seconds; NaN if there was none. */
double measure_baseline(const struct options *options, const struct power_source *source, void *state,
                        struct notices *warnings);

/* The JSON object of line 2 of the log, to be freed. TICKS: CPU time of threads is read in ticks. */
char *facts_of(const struct measurement *m, bool ticks);

/* ---- prometheus.c: --prometheus ---- */

/* Totals of the machine and of the watched JVMs over all cycles, written to PATH at the start and after each cycle.
 * SOURCE: name of the power source; HAS_POWER: it is open. A failed write is no error; the first one is said. */
struct metrics *metrics_new(const char *path, const char *source, bool has_power, const struct user *user);
void metrics_free(struct metrics *metrics);
/* Adds what a process used in the current cycle. */
void metrics_process(struct metrics *metrics, const struct proc_process *process);
/* Ends the cycle. POWER_W: NaN for none. */
void metrics_cycle(struct metrics *metrics, int64_t interval_ns, int64_t busy_ns, double power_w);
void metrics_pause(struct metrics *metrics); /* after a run: there is no power now, and the totals stay */
void metrics_write(struct metrics *metrics);

/* ---- report.c ---- */

void report_outcome(const struct measurement *m, const struct outcome *outcome);

/* ---- capture.c ---- */

/* Runs a command, whose first word is a path, with an empty stdin. OUTPUT gets the beginning of its stdout and stderr,
 * as much as fits. Returns its exit status, or -1. */
int capture(char *const *command, const struct user *user, char *output, size_t size);

/* ---- jfr.c: --jfr; attach.c: --jfr for a JVM that runs already ---- */

#define JFR_NAME "joular-record"
#define JDK_WITH_CPU_TIME 25

struct jfr_plan {
    bool active;                /* a recording will be made, by us or by the command's own flag */
    bool left_alone;            /* the command has its own flag for a recording, which is kept */
    bool folder;                /* recording is a folder, with a recording for each JVM */
    bool attached;              /* to a JVM that runs already, by jcmd */
    bool cpu_time;              /* the JDK has jdk.CPUTimeSample */
    char *recording, *settings; /* paths; settings is NULL if we write none */
    struct stat before;         /* of the recording's file before the run; all 0 if there was none */
    int settings_folder;        /* open while the settings file is there; 0 for none */
    char **command;             /* the command to run */
    char *environment;          /* JDK_JAVA_OPTIONS=..., or NULL */
    char *jcmd;
    struct user owner;  /* of a JVM that runs already */
    bool started_by_us; /* we started the recording of a JVM that runs already */
};
/* Plans how the command has to be changed to make the recording RECORDING. TELL: says what the user should know. */
enum status jfr_prepare(const struct options *options, const char *recording, const struct user *user, bool tell,
                        struct jfr_plan *plan, struct error *err) WARN_UNUSED;
enum status jfr_write_settings(const struct options *options, struct jfr_plan *plan, const struct user *user,
                               struct error *err) WARN_UNUSED;
enum status jfr_attach(const struct options *options, const char *recording, const struct user *user,
                       struct jfr_plan *plan, struct error *err) WARN_UNUSED;
/* Has the JVM write its recording, and ends it if we started it. */
void jfr_detach(const struct options *options, struct jfr_plan *plan);
/* next.c: the last line of the report, the command that analyses the results. */
void jfr_next_command(const struct jfr_plan *plan, const struct outcome *outcome, const struct measurement *m);
enum status jfr_check_version(int version, const char *throttle, struct error *err) WARN_UNUSED;
enum status jfr_check_name(const char *recording, struct error *err) WARN_UNUSED;
char *absolute_path(const char *path);
char *with_ending(const char *recording, const char *ending); /* "run.jfr" with ".jfc" is "run.jfc"; to be freed */
void jfr_plan_free(struct jfr_plan *plan, const struct user *user);

/* ---- jfc.c ---- */

enum jfc_samples {
    JFC_EXECUTION,
    JFC_CPU_TIME, /* the JDK has jdk.CPUTimeSample */
    JFC_BOTH      /* for any JDK: joular.jfc; THROTTLE must be a period */
};
/* The text of a .jfc file, the settings of a recording; to be freed. */
char *jfc_text(enum jfc_samples samples, const char *throttle);
/* A period is "10ms", a rate "500/s". jdk.ExecutionSample has a period only. */
bool jfc_is_period(const char *throttle);
bool jfc_is_rate(const char *throttle);

/* ---- java.c ---- */

/* Feature version (17, 25, 8) of the JDK that LAUNCHER belongs to: from its release file, or else from the output of
 * LAUNCHER -version, run as USER; 0 if unknown. */
int java_version(const char *launcher, const struct user *user);
int java_release(const char *home); /* feature version by the release file in HOME; 0 if unknown */
/* The path of NAME in the folder that LAUNCHER is in, links resolved; to be freed. NULL if there is no LAUNCHER. */
char *java_beside(const char *launcher, const char *name);
/* The java that a script would find: that of JAVA_HOME, else that in PATH; to be freed, or NULL. */
char *java_of_environment(void);
bool java_is_launcher(const char *command); /* true if its name is java */

/* ---- session.c, doctor.c ---- */

int record_all(const struct options *options); /* everything but --doctor; the exit status */
int doctor(const struct options *options);

/* WORD quoted for a shell, if needed; to be freed. */
char *shell_quoted(const char *word);

#endif
