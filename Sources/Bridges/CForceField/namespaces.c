#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stage.h"
#include "system_calls.h"

// A kernel uid and gid of the worker's own. Only root can give them; the layer is then one that was asked for.
void stage_principal(struct stage *stage) {
    uint32_t user = stage->policy.user;
    if (user == 0 || geteuid() != 0 || !stage_wants(stage, cforcefield_layer_distinct_uid)) return;
    // Groups first: without root no group can be dropped any more. Raw calls: libc's would signal threads.
    if (syscall(native_setgroups, 0, NULL) != 0 || syscall(native_setresgid, user, user, user) != 0 ||
        syscall(native_setresuid, user, user, user) != 0) {
        stage_miss(stage, cforcefield_layer_distinct_uid, cforcefield_stage_principal);
        return;
    }
    // A change of uid makes the process non-dumpable, and then /proc/self/uid_map belongs to root.
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) stage_fail(stage, cforcefield_stage_principal, errno);
    stage->layers |= cforcefield_layer_distinct_uid;
}

struct namespace {
    uint32_t layer;
    int flag;
};

// The user namespace first: the others are then its own.
static const struct namespace namespaces[] = {
    {cforcefield_layer_user, CLONE_NEWUSER}, {cforcefield_layer_mount, CLONE_NEWNS},
    {cforcefield_layer_pid, CLONE_NEWPID},   {cforcefield_layer_ipc, CLONE_NEWIPC},
    {cforcefield_layer_uts, CLONE_NEWUTS},   {cforcefield_layer_cgroup_namespace, CLONE_NEWCGROUP},
    {cforcefield_layer_net, CLONE_NEWNET},
};

enum { namespace_count = sizeof namespaces / sizeof namespaces[0] };

static void unshare_all(struct stage *stage) {
    uint32_t layers = 0;
    int flags = 0;
    for (size_t index = 0; index < namespace_count; index++) {
        if (!stage_wants(stage, namespaces[index].layer)) continue;
        layers |= namespaces[index].layer;
        flags |= namespaces[index].flag;
    }
    // One call: each would copy what it does not change.
    if (flags == 0 || unshare(flags) == 0) {
        stage->layers |= layers;
        return;
    }
    // Which one was it? Alone, each tells.
    for (size_t index = 0; index < namespace_count; index++) {
        if ((layers & namespaces[index].layer) == 0) continue;
        if (unshare(namespaces[index].flag) == 0) {
            stage->layers |= namespaces[index].layer;
        } else {
            stage_miss(stage, namespaces[index].layer, cforcefield_stage_namespaces);
        }
    }
}

static int write_file(const char *path, const char *text) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    ssize_t count = write(descriptor, text, strlen(text));
    int reason = errno;
    close(descriptor);
    errno = reason;
    return count == (ssize_t)strlen(text) ? 0 : -1;
}

// Inside, the worker is uid and gid 0 of a namespace in which there is nobody else. The ids outside are those from before the
// namespace, in which an unmapped id reads as 65534.
static int write_maps(uid_t user, gid_t group) {
    char text[32];
    // Without this the kernel lets nobody but root write a map of groups.
    if (write_file("/proc/self/setgroups", "deny") != 0) return -1;
    snprintf(text, sizeof text, "0 %u 1", user);
    if (write_file("/proc/self/uid_map", text) != 0) return -1;
    snprintf(text, sizeof text, "0 %u 1", group);
    return write_file("/proc/self/gid_map", text);
}

void stage_maps(struct stage *stage) {
    uid_t user = geteuid();
    gid_t group = getegid();
    unshare_all(stage);
    if (!stage_has(stage, cforcefield_layer_user)) return;
    if (write_maps(user, group) == 0) return;
    stage_miss(stage, cforcefield_layer_user, cforcefield_stage_maps);
    stage->layers &= ~(uint32_t)cforcefield_layer_user;
}

#endif
