#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stage.h"
#include "system_calls.h"

// linux/mount.h, which cannot be included beside sys/mount.h.
enum {
    open_tree_clone = 1,
    move_mount_from_empty_path = 0x4,
    mount_attr_rdonly = 0x1,
    mount_attr_nosuid = 0x2,
    mount_attr_noexec = 0x8,
};

struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
};

// A mount of one file, attached nowhere yet. Made while the host's tree is still there, and by descriptor: what is checked is
// what is mounted. Devices work on purpose (no MOUNT_ATTR_NODEV): one of the files is /dev/urandom.
static int take_file(const struct cforcefield_file *file) {
    int descriptor = open(file->host, O_PATH | O_CLOEXEC);
    if (descriptor < 0) return -1;
    struct stat status;
    int tree = -1;
    if (fstat(descriptor, &status) == 0) {
        if (status.st_dev == file->device && status.st_ino == file->inode) {
            tree = (int)syscall(native_open_tree, descriptor, "", open_tree_clone | AT_EMPTY_PATH | O_CLOEXEC);
        } else {
            errno = ESTALE;
        }
    }
    struct mount_attributes attributes = {.set = mount_attr_rdonly | mount_attr_nosuid | mount_attr_noexec};
    if (tree >= 0 &&
        syscall(native_mount_setattr, tree, "", AT_EMPTY_PATH, &attributes, sizeof attributes) != 0) {
        int reason = errno;
        close(tree);
        errno = reason;
        tree = -1;
    }
    int reason = errno;
    close(descriptor);
    errno = reason;
    return tree;
}

// Before a file system is laid over a folder in which a file may be.
static void take_files(struct stage *stage) {
    for (size_t index = 0; index < stage->policy.file_count; index++) {
        stage->file_trees[index] = take_file(&stage->policy.files[index]);
        if (stage->file_trees[index] < 0) stage_fail(stage, cforcefield_stage_root, errno);
    }
}

// Makes the folders of a path and an empty file at its end, and moves the mount there. The path is relative to the new root.
static int place_file(const char *inside, int tree) {
    char path[CFORCEFIELD_INSIDE_PATH_SIZE];
    strcpy(path, inside + 1);
    for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0755) != 0 && errno != EEXIST) return -1;
        *slash = '/';
    }
    int point = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);
    if (point < 0) return -1;
    close(point);
    if (syscall(native_move_mount, tree, "", AT_FDCWD, path, move_mount_from_empty_path) != 0) return -1;
    close(tree);
    return 0;
}

// An empty file system on any folder that exists, and there we are.
static int mount_empty(void) {
    static const char *const folders[] = {"/tmp", "/mnt", "/dev", "/proc", "/usr"};
    for (size_t index = 0; index < sizeof folders / sizeof folders[0]; index++) {
        if (mount("tmpfs", folders[index], "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k,nr_inodes=64,mode=755") == 0) {
            return chdir(folders[index]);
        }
        if (errno != ENOENT) return -1;
    }
    return -1;
}

// Makes the folder we are in the root, and lets go of the old one.
static int pivot(void) {
    if (syscall(native_pivot_root, ".", ".") != 0) return -1;
    if (umount2(".", MNT_DETACH) != 0) return -1;
    return chdir("/");
}

void stage_root(struct stage *stage) {
    if (!stage_wants(stage, cforcefield_layer_empty_root)) return;
    if (!stage_has(stage, cforcefield_layer_mount)) {
        errno = EPERM;
        stage_miss(stage, cforcefield_layer_empty_root, cforcefield_stage_propagation);
        return;
    }
    // Nothing that is mounted from here on shows up in the host's tree.
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        stage_miss(stage, cforcefield_layer_empty_root, cforcefield_stage_propagation);
        return;
    }
    take_files(stage);
    if (mount_empty() != 0) {
        stage_miss(stage, cforcefield_layer_empty_root, cforcefield_stage_root);
        return;
    }
    for (size_t index = 0; index < stage->policy.file_count; index++) {
        if (place_file(stage->policy.files[index].inside, stage->file_trees[index]) != 0) {
            stage_fail(stage, cforcefield_stage_root, errno);
        }
    }
    // Half way there is no way back: a step that fails from here on is no missing layer.
    if (pivot() != 0) stage_fail(stage, cforcefield_stage_pivot, errno);
    if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) {
        stage_fail(stage, cforcefield_stage_remount, errno);
    }
    stage->layers |= cforcefield_layer_empty_root;
}

// The names of the machine.
void stage_uts(struct stage *stage) {
    if (!stage_has(stage, cforcefield_layer_uts)) return;
    static const char name[] = "forcefield";
    if (sethostname(name, sizeof name - 1) == 0 && setdomainname("", 0) == 0) return;
    stage_miss(stage, cforcefield_layer_uts, cforcefield_stage_uts);
    stage->layers &= ~(uint32_t)cforcefield_layer_uts;
}

#endif
