/* joular-record: its options, and the steps of a run. */
#ifndef JOULAR_RECORD_H
#define JOULAR_RECORD_H

#include "joular/mem.h"
#include "joular/meter.h"
#include "joular/proc.h"

#include <sys/stat.h>
#include <sys/types.h>

#define PROGRAM "joular-record"

/* Exit statuses that are ours; 2 could be the program's. */
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
    int64_t interval_ms, pid;      /* pid 0: none */
    double duration_s, baseline_s; /* 0: none */
    int64_t runs, warmup;
    bool jfr;
    const char *recording; /* NULL: run.jfr */
    const char *throttle;  /* period ("10ms") or rate ("500/s") of samples */
    bool require_power, dry_run, doctor, quiet, verbose;
    char **command;       /* ends with NULL; none where command[0] is NULL */
    char *from_config[5]; /* values of -c, kept for those who point at them */
};

/* Reads the command line. Returns 0 to go on, else what the program ends with plus one. */
int options_read(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* ---- say.c: everything on stderr, one write a line ---- */

enum say_level {
    SAY_ERROR, /* with -q too */
    SAY_NOTE,
    SAY_DETAIL /* with -v only */
};
void say_set(bool quiet, bool verbose);
void say(enum say_level level, const char *format, ...) PRINTF_LIKE(2, 3);
void say_plain(const char *format, ...) PRINTF_LIKE(1, 2); /* a line of the report, without the program's name */
void say_error(const struct error *err);
/* Says the sentences from *SAID on, each once. */
void say_texts(const struct notices *texts, size_t *said);

/* ---- user.c: --user ---- */

struct user {
    bool set;
    uid_t uid;
    gid_t gid;
    char *name, *home; /* NULL: not in the list of users */
};
enum status user_find(const char *name, struct user *user, struct error *err) WARN_UNUSED;
/* Who runs a process, where that can be become (as root); else nobody is set. By its real user id: the owner of its
 * folder in PROC is root where the process has secrets. */
void user_of_process(const char *proc, int64_t pid, struct user *user);
void user_free(struct user *user);
/* Between the two, files are made with the user's rights, and are the user's. */
void user_act(const struct user *user);
void user_act_end(const struct user *user);
bool user_become(const struct user *user); /* for good, in the child */

/* ---- signals.c ---- */

/* Blocks the signals that matter; they arrive in signals_wait, and between signals_open and signals_close. STOP_ENDS:
 * SIGINT, SIGTERM and SIGHUP end the measurement (no program of ours runs); else those that a process sent are handed
 * on to the child, and those of the terminal, which the child gets itself, are not. */
void signals_begin(bool stop_ends);
void signals_set_child(pid_t child);
void signals_open(void);
void signals_close(void);
/* Non-zero when something happened that ends a wait. */
extern volatile int signals_stop;
int signals_asked_to_end(void); /* which of SIGINT, SIGTERM and SIGHUP came last, or 0 */
/* Until a signal, DEADLINE_NS (CLOCK_MONOTONIC), or FD (-1: none) is readable. */
void signals_wait(int64_t deadline_ns, int fd);
void signals_restore(void); /* in the child: as they were when joular-record was started */

/* ---- child.c: the program ---- */

struct child {
    pid_t pid;
    int go, failed; /* pipes */
    bool reaped;
    int status; /* as a shell has it */
};
/* Looks COMMAND up as execvp does. 0, EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE. PATH: malloc, where it is. */
int child_lookup(const char *command, char **path);
/* Starts the process, which waits for child_go before it becomes the program. ENVIRONMENT: "NAME=value" that is set in
 * it, or NULL. */
enum status child_start(char **command, const char *environment, const struct user *user, struct child *child,
                        struct error *err) WARN_UNUSED;
/* 0, or the errno with which the program could not be executed (the child has ended then). */
int child_go(struct child *child);
void child_drop(struct child *child);            /* instead of child_go */
bool child_has_ended(const struct child *child); /* it is still there to be looked at */
void child_reap(struct child *child);            /* waits */

/* ---- measure.c: cycles ---- */

struct tally { /* CPU time of one process over a run */
    int64_t pid, ns_pid, cpu_ns;
    bool is_jvm;
    char name[64];
};

struct outcome {
    double energy_j, powered_s, seconds; /* of all cycles with power; NaN where none had */
    double peak_w;
    int64_t cpu_ns, busy_ns; /* of the program and of the machine, in all cycles */
    int64_t unseen_ns;
    uint64_t cycles, unpowered, lost;
    VEC(struct tally) tallies;
    struct {
        char *name;
        double energy_j;
        bool counted;
        unsigned depth;
    } domains[64];
    size_t domain_count;
    bool incomplete; /* the last CPU time of some process could not be had */
};
void outcome_free(struct outcome *outcome);

struct metrics;

struct measurement {
    const struct options *options;
    const struct user *user;
    const struct power_source *source;
    void *state;        /* of the source; NULL: none */
    const char *reason; /* why there is no power, or NULL */
    struct notices *warnings;
    size_t *warnings_said;
    struct child *child; /* NULL: none */
    int64_t pid;         /* watched; 0: the machine alone */
    const char *log, *command;
    int64_t run;             /* 0: the only one */
    double baseline_w;       /* NaN: not measured */
    struct metrics *metrics; /* NULL: none wanted */
};
/* Writes the log from now on until the child or the process ends, the time is over, or a signal says so. The child is
 * let go when everything is ready; *EXEC_ERRNO is why it could not become the program. */
enum status measure(const struct measurement *m, struct outcome *outcome, int *exec_errno,
                    struct error *err) WARN_UNUSED;
/* The idle power of the machine over SECONDS; NaN where it cannot be had. */
double measure_baseline(const struct options *options, const struct power_source *source, void *state,
                        struct notices *warnings);

/* Line 2 of the log; malloc. */
char *facts_of(const struct measurement *m, bool ticks);

/* ---- prometheus.c: --prometheus ---- */

/* Totals of all cycles, of the machine and of the JVMs that are watched, written to PATH after each, and once at the
 * start. SOURCE: the power source's name; HAS_POWER: it is open. A write that fails is said once, and no error. */
struct metrics *metrics_new(const char *path, const char *source, bool has_power, const struct user *user);
void metrics_free(struct metrics *metrics);
void metrics_process(struct metrics *metrics, const struct proc_process *process); /* of the cycle in hand */
void metrics_cycle(struct metrics *metrics, int64_t interval_ns, int64_t busy_ns, double power_w); /* NaN: none */
void metrics_pause(struct metrics *metrics); /* no power is measured from now on: totals stay */
void metrics_write(struct metrics *metrics);

/* ---- report.c ---- */

void report_outcome(const struct measurement *m, const struct outcome *outcome);

/* ---- capture.c ---- */

/* Runs a command with nothing on its stdin; its stdout and stderr as far as they fit. Its exit status, or -1. */
int capture(char *const *command, const struct user *user, char *output, size_t size);

/* ---- jfr.c: --jfr; attach.c: of a JVM that runs ---- */

#define JFR_NAME "joular-record"
#define JDK_WITH_CPU_TIME 25

struct jfr_plan {
    bool active;                /* a recording will be made, by us or by the command's own flag */
    bool left_alone;            /* the command has its own */
    bool folder;                /* recording is a folder, of a recording for each JVM */
    bool attached;              /* over jcmd */
    bool cpu_time;              /* the JDK has jdk.CPUTimeSample */
    char *recording, *settings; /* files; settings NULL: none of ours */
    struct stat before;         /* of the recording; all 0 where there was none */
    int settings_folder;        /* open while the settings are there; 0: none */
    char **command;             /* to be run */
    char *environment;          /* JDK_JAVA_OPTIONS=..., or NULL */
    char *jcmd;
    struct user owner; /* of a JVM that runs already */
    bool started_by_us;
};
/* What has to change in the command for a recording RECORDING. TELL: says what the user has to know. */
enum status jfr_prepare(const struct options *options, const char *recording, const struct user *user, bool tell,
                        struct jfr_plan *plan, struct error *err) WARN_UNUSED;
enum status jfr_write_settings(const struct options *options, struct jfr_plan *plan, const struct user *user,
                               struct error *err) WARN_UNUSED;
enum status jfr_attach(const struct options *options, const char *recording, const struct user *user,
                       struct jfr_plan *plan, struct error *err) WARN_UNUSED;
void jfr_detach(const struct options *options, struct jfr_plan *plan); /* dump and stop */
/* next.c: the last line of the report, what to do with the results. */
void jfr_next_command(const struct jfr_plan *plan, const struct outcome *outcome, const struct measurement *m);
enum status jfr_check_version(int version, const char *throttle, struct error *err) WARN_UNUSED;
enum status jfr_check_name(const char *recording, struct error *err) WARN_UNUSED;
char *absolute_path(const char *path);
char *with_ending(const char *recording, const char *ending); /* "run.jfr" and ".jfc" make "run.jfc"; malloc */
void jfr_plan_free(struct jfr_plan *plan, const struct user *user);

/* ---- jfc.c ---- */

enum jfc_samples {
    JFC_EXECUTION,
    JFC_CPU_TIME, /* the JDK has jdk.CPUTimeSample */
    JFC_BOTH      /* whatever the JDK has: joular.jfc; THROTTLE is a period then */
};
/* The settings of a recording as a .jfc file; malloc. */
char *jfc_text(enum jfc_samples samples, const char *throttle);
/* "10ms" or "500/s"; for jdk.ExecutionSample only the first. */
bool jfc_is_period(const char *throttle);
bool jfc_is_rate(const char *throttle);

/* ---- java.c ---- */

/* Feature version (17, 25, 8) of the JDK whose launcher this is: from the release file beside its real path, else from
 * what it says itself when run as USER; 0 unknown. */
int java_version(const char *launcher, const struct user *user);
int java_release(const char *home); /* of the release file in HOME */
/* A file in the folder that LAUNCHER really lies in; malloc, or NULL. */
char *java_beside(const char *launcher, const char *name);
/* The java that a script would find: of JAVA_HOME, else of PATH; malloc, or NULL. */
char *java_of_environment(void);
bool java_is_launcher(const char *command); /* called java */

/* ---- session.c, doctor.c ---- */

int record_all(const struct options *options); /* everything but --doctor; the exit status */
int doctor(const struct options *options);

/* A shell's quoting, where needed; malloc. */
char *shell_quoted(const char *word);

#endif
