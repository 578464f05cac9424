// Files without names, what lies under a file, and marks that keep a folder out of backups.
//
// Every function returns 0 or a descriptor, or -1 with errno set; what the system does not have fails with ENOTSUP.
#pragma once

#include <stddef.h>
#include <stdint.h>

// A file for reading and writing that has no name and is gone when its last descriptor is closed (O_TMPFILE), mode 0600.
int clinux_open_unnamed(int directory);

// A file for writing without a name, which it may be given when it is complete; until then it is gone with its descriptor. The
// process's mask is taken off its permissions.
int clinux_open_nameable(int directory, unsigned permissions);
int clinux_give_name(int descriptor, int directory, const char *name);

// The number that tells the kind of file system (statfs f_type). Linux only.
int clinux_file_system(int descriptor, uint32_t *magic);

// The attribute that tells dump(8) to leave a file or folder out.
int clinux_set_nodump(int descriptor);
int clinux_has_nodump(int descriptor, int *marked);

// The extended attribute user.xdg.robots.backup=false.
int clinux_set_no_backup(int descriptor);
int clinux_has_no_backup(int descriptor, int *marked);

// Whether the bits of the group are the mask of a POSIX access control list: of a descriptor, or of what lies at a path, which
// counts where it is not NULL. 0 or 1, or -1 with errno set. Always 0 on Apple's systems, whose lists leave the bits alone.
int clinux_has_access_list(int descriptor, const char *path);

// The name of the protocol of the socket that a link like /proc/PID/fd/N leads to, ended by a zero. Returns how many bytes there are.
// ENOTSOCK: it leads to something else; ENODATA, ENOTSUP: the kernel does not say. Linux only.
int64_t clinux_socket_protocol(const char *path, char *name, size_t size);

// Writes a file through to the disk: fsync, and on Apple's systems the flush of the drive's own cache.
int clinux_flush(int descriptor);

// 1 if the process runs with more rights than whoever started it (setuid and the like).
int clinux_has_raised_rights(void);
