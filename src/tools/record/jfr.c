/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --jfr: the flags for a recording, put after java on the command line, or else into JDK_JAVA_OPTIONS for all JVMs that
 * the command starts. */
#include "record.h"

#include "joular/file.h"
#include "joular/leave.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define START "-XX:StartFlightRecording"

static char *PRINTF_LIKE(1, 2) formatted(const char *format, ...)
{
    char *text;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    return length >= 0 ? text : mem_resize(NULL, SIZE_MAX, 2);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
    size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

/* True for an option of java whose value is the next argument. */
static bool takes_value(const char *word)
{
    static const char *const options[] = {"-cp",
                                          "-classpath",
                                          "--class-path",
                                          "-p",
                                          "--module-path",
                                          "--upgrade-module-path",
                                          "--add-modules",
                                          "--add-exports",
                                          "--add-opens",
                                          "--add-reads",
                                          "--enable-native-access",
                                          "--limit-modules",
                                          "--patch-module",
                                          "--source",
                                          NULL};
    for (size_t i = 0; options[i] != NULL; i++)
        if (strcmp(word, options[i]) == 0)
            return true;
    return false;
}

/* The command's own flag for a recording, or NULL. It is looked for in the command, if that is java only before the
 * program's name, and in the environment. */
static const char *own_flag(char **command)
{
    static const char *const variables[] = {"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", NULL};
    bool java = java_is_launcher(command[0]);
    for (char **word = command + 1; *word != NULL; word++) {
        if (begins(*word, START))
            return *word;
        if (java && (strcmp(*word, "-jar") == 0 || strcmp(*word, "-m") == 0 || (*word)[0] != '-'))
            break;
        if (java && takes_value(*word) && word[1] != NULL)
            word++;
    }
    for (size_t i = 0; variables[i] != NULL; i++) {
        const char *value = getenv(variables[i]);
        const char *flag = value != NULL ? strstr(value, START) : NULL;
        if (flag != NULL)
            return flag;
    }
    return NULL;
}

static enum status keep_own_flag(const char *flag, bool tell, struct jfr_plan *plan)
{
    size_t length = strcspn(flag, " \t\n\"");
    char *own = mem_strndup(flag, length);
    const char *name = strstr(own, "filename=");
    plan->left_alone = true;
    if (name != NULL) {
        name += strlen("filename=");
        plan->active = true;
        plan->recording = mem_strndup(name, strcspn(name, ","));
    }
    if (tell)
        say(SAY_NOTE, "the command has its own %s, which is left as it is%s", START,
            name != NULL                             ? ""
            : strstr(own, "dumponexit=true") != NULL ? "; its file will be called hotspot-pid-...jfr"
                                                     : "; it has no filename=, so no file will be left at the end");
    free(own);
    return STATUS_OK;
}

char *absolute_path(const char *path)
{
    char here[PATH_MAX];
    if (path[0] == '/' || getcwd(here, sizeof here) == NULL)
        return mem_strdup(path);
    return path_in(here, path);
}

/* Commas separate JFR's options, and quotes have a meaning in JDK_JAVA_OPTIONS. */
enum status jfr_check_name(const char *recording, struct error *err)
{
    struct stat st;
    if (recording[strcspn(recording, ",\"'\\\n")] != '\0')
        return error_set(err, STATUS_INVALID, "--jfr: a recording's path may have no comma, quote or backslash: %s",
                         recording);
    if (lstat(recording, &st) == 0 && S_ISLNK(st.st_mode))
        return error_set(err, STATUS_INVALID, "--jfr: %s is a symbolic link, and nothing is written through one",
                         recording);
    return STATUS_OK;
}

enum status jfr_check_version(int version, const char *throttle, struct error *err)
{
    if (version > 0 && version < 11)
        return error_set(err, STATUS_UNSUPPORTED, "--jfr needs JDK 11 or newer, and this one is %d", version);
    if (jfc_is_rate(throttle) && version < JDK_WITH_CPU_TIME)
        return error_set(
            err, STATUS_UNSUPPORTED,
            "--throttle %s: a rate needs JDK 25 or newer (jdk.CPUTimeSample)%s; give a period, such as 10ms", throttle,
            version == 0 ? ", and the version of this one is not known" : "");
    return STATUS_OK;
}

char *with_ending(const char *recording, const char *ending)
{
    size_t length = strlen(recording) - (ends(recording, ".jfr") ? 4 : 0);
    return formatted("%.*s%s", (int)length, recording, ending);
}

#define FLAGS 6

static void make_flags(const struct jfr_plan *plan, int version, char **flags)
{
    flags[0] = formatted(START "=name=" JFR_NAME ",filename=%s%s,settings=%s,dumponexit=true,maxsize=0",
                         plan->recording, plan->folder ? "/" : "", plan->settings);
    flags[1] = mem_strdup("-XX:FlightRecorderOptions=stackdepth=1024");
    flags[2] = mem_strdup("-XX:+UnlockDiagnosticVMOptions");
    flags[3] = mem_strdup("-XX:+DebugNonSafepoints");
    /* Else JFR prints some lines on the program's stdout. JDK 11 refuses the tag "startup", and prints them in any
     * case. */
    flags[4] = mem_strdup(version >= 17 ? "-Xlog:jfr+startup=error" : "-Xlog:jfr*=error");
    flags[5] = NULL;
}

static void add_flags_to_java(char **command, char **flags, struct jfr_plan *plan)
{
    size_t count = 0;
    while (command[count] != NULL)
        count++;
    plan->command = mem_zero(count + FLAGS, sizeof(char *));
    plan->command[0] = command[0];
    for (size_t i = 0; flags[i] != NULL; i++)
        plan->command[i + 1] = flags[i];
    memcpy(plan->command + FLAGS, command + 1, count * sizeof(char *));
}

static void add_flags_to_environment(char **command, char **flags, struct jfr_plan *plan)
{
    const char *old = getenv("JDK_JAVA_OPTIONS");
    char *value = formatted("JDK_JAVA_OPTIONS=%s", old != NULL ? old : "");
    for (size_t i = 0; flags[i] != NULL; i++) {
        bool quoted = flags[i][strcspn(flags[i], " \t")] != '\0';
        char *longer = formatted("%s%s%s%s%s", value, ends(value, "=") ? "" : " ", quoted ? "\"" : "", flags[i],
                                 quoted ? "\"" : "");
        free(value);
        free(flags[i]);
        value = longer;
    }
    plan->environment = value;
    plan->command = command;
}

static void say_effects(const struct jfr_plan *plan, int version)
{
    if (version == 0)
        say(SAY_NOTE, "the JDK's version is not known: the recording has jdk.ExecutionSample");
    if (version > 0 && version < 17)
        say(SAY_NOTE, "JDK %d prints some lines about the recording on the program's standard output", version);
    if (plan->folder)
        say(SAY_NOTE,
            "the command is not java: every JVM below it records into %s/, by JDK_JAVA_OPTIONS, of which each says a "
            "NOTE on its standard error",
            plan->recording);
}

enum status jfr_prepare(const struct options *options, const char *recording, const struct user *user, bool tell,
                        struct jfr_plan *plan, struct error *err)
{
    char **command = options->command, *launcher = NULL, *flags[FLAGS];
    const char *own = own_flag(command);
    *plan = (struct jfr_plan){.command = command};
    if (own != NULL)
        return keep_own_flag(own, tell, plan);
    plan->folder = !java_is_launcher(command[0]);
    if (!plan->folder)
        child_lookup(command[0], &launcher);
    else
        launcher = java_of_environment();
    int version = launcher != NULL ? java_version(launcher, user) : 0;
    free(launcher);
    if (jfr_check_name(recording, err) != STATUS_OK || jfr_check_version(version, options->throttle, err) != STATUS_OK)
        return err->status;
    plan->active = true;
    plan->cpu_time = version >= JDK_WITH_CPU_TIME;
    char *name = plan->folder && ends(recording, ".jfr") ? formatted("%s.d", recording) : mem_strdup(recording);
    char *settings = plan->folder ? formatted("%s/" JFR_NAME ".jfc", name) : with_ending(name, ".jfc");
    plan->recording = plan->folder ? absolute_path(name) : mem_strdup(name);
    plan->settings = absolute_path(settings);
    free(name);
    free(settings);
    if (jfr_check_name(plan->settings, err) != STATUS_OK)
        return err->status;
    if (tell)
        say_effects(plan, version);
    make_flags(plan, version, flags);
    if (plan->folder)
        add_flags_to_environment(command, flags, plan);
    else
        add_flags_to_java(command, flags, plan);
    return STATUS_OK;
}

/* Writes the file of settings. Its folder stays open, so that remove_settings removes this file and no other, wherever
 * the path leads by then. */
static enum status make_settings(struct jfr_plan *plan, const char *text, struct error *err)
{
    const char *name;
    size_t length = strlen(text);
    if (plan->folder && mkdir(plan->recording, 0777) != 0 && errno != EEXIST)
        return error_set(err, STATUS_IO, "the folder of recordings cannot be made: %s", strerror(errno));
    struct stat st;
    if (plan->folder && (lstat(plan->recording, &st) != 0 || !S_ISDIR(st.st_mode)))
        return error_set(err, STATUS_INVALID, "something that is no folder has the name of the folder of recordings");
    int folder = file_folder(plan->settings, &name), fd = -1;
    if (folder >= 0) {
        plan->settings_folder = folder;
        unlinkat(folder, name, 0);
        leftover_note(folder, name, false);
        fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    }
    ssize_t wrote = fd >= 0 ? write(fd, text, length) : -1;
    int why = wrote < 0 ? errno : ENOSPC; /* else only a part was written */
    if (fd >= 0 && close(fd) != 0)
        wrote = -1;
    return wrote == (ssize_t)length
               ? STATUS_OK
               : error_set(err, STATUS_IO, "the settings of the recording cannot be written: %s", strerror(why));
}

enum status jfr_write_settings(const struct options *options, struct jfr_plan *plan, const struct user *user,
                               struct error *err)
{
    if (plan->settings == NULL)
        return STATUS_OK;
    char *text = jfc_text(plan->cpu_time ? JFC_CPU_TIME : JFC_EXECUTION, options->throttle);
    user_act(user);
    enum status status = make_settings(plan, text, err);
    user_act_end(user);
    error_in_file(err, plan->settings);
    free(text);
    return status;
}

static void remove_settings(struct jfr_plan *plan, const struct user *user)
{
    const char *name = path_name(plan->settings);
    user_act(user);
    unlinkat(plan->settings_folder, name, 0); /* the JVMs have read it by now */
    user_act_end(user);
    leftover_forget(name);
    close(plan->settings_folder);
}

void jfr_plan_free(struct jfr_plan *plan, const struct user *user)
{
    if (plan->settings_folder > 0)
        remove_settings(plan, user);
    if (plan->active && !plan->folder && !plan->left_alone && !plan->attached && plan->command != NULL) {
        for (size_t i = 1; i < FLAGS; i++)
            free(plan->command[i]);
        free(plan->command);
    }
    free(plan->environment);
    free(plan->recording);
    free(plan->settings);
    free(plan->jcmd);
    user_free(&plan->owner);
    *plan = (struct jfr_plan){0};
}
