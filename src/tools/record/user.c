/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum status user_find(const char *name, struct user *user, struct error *err)
{
    *user = (struct user){0};
    if (name == NULL)
        return STATUS_OK;
    errno = 0;
    const struct passwd *entry = getpwnam(name);
    if (entry == NULL)
        return error_set(err, STATUS_MISSING, "--user: there is no user \"%s\"%s%s", name, errno != 0 ? ": " : "",
                         errno != 0 ? strerror(errno) : "");
    if (geteuid() != 0)
        return error_set(err, STATUS_IO, "--user needs root: run it with sudo");
    *user = (struct user){true, entry->pw_uid, entry->pw_gid, mem_strdup(entry->pw_name), mem_strdup(entry->pw_dir)};
    return STATUS_OK;
}

void user_of_process(const char *proc, int64_t pid, struct user *user)
{
    char path[4096], line[256];
    unsigned long uid = 0, gid = 0;
    bool known = false;
    *user = (struct user){0};
    snprintf(path, sizeof path, "%s/%" PRId64 "/status", proc, pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && !known && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "Uid: %lu", &uid);
        known = sscanf(line, "Gid: %lu", &gid) == 1;
    }
    if (file != NULL)
        fclose(file);
    if (!known || geteuid() != 0 || uid == 0)
        return;
    const struct passwd *entry = getpwuid((uid_t)uid);
    *user = (struct user){true, (uid_t)uid, (gid_t)gid, NULL, NULL};
    if (entry != NULL) {
        user->name = mem_strdup(entry->pw_name);
        user->home = mem_strdup(entry->pw_dir);
    }
}

void user_free(struct user *user)
{
    free(user->name);
    free(user->home);
}

void user_act(const struct user *user)
{
    if (user->set && (setegid(user->gid) != 0 || seteuid(user->uid) != 0))
        abort(); /* does not happen to root */
}

void user_act_end(const struct user *user)
{
    if (user->set && (seteuid(0) != 0 || setegid(getgid()) != 0))
        abort(); /* does not happen, as the saved id is root's */
}

bool user_become(const struct user *user)
{
    if (!user->set)
        return true;
    if ((user->name != NULL ? initgroups(user->name, user->gid) : setgroups(0, NULL)) != 0 || setgid(user->gid) != 0 ||
        setuid(user->uid) != 0)
        return false;
    if (user->name == NULL)
        return true;
    return setenv("HOME", user->home, 1) == 0 && setenv("USER", user->name, 1) == 0 &&
           setenv("LOGNAME", user->name, 1) == 0;
}
