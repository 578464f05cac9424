// What happens to the names in a folder (inotify). Linux only; elsewhere ENOSYS.
#pragma once

enum clinux_watch_event {
    clinux_watch_name = 0,     // A file of this name came, or was replaced.
    clinux_watch_removed = 3,  // A file of this name went.
    clinux_watch_gone = 1,     // The folder itself was removed, moved or unmounted.
    clinux_watch_overflow = 2, // More happened than could be kept: look at everything.
};

// A descriptor, readable when something happened to a name in the open folder; -1 with errno set. Changes of a file's content
// in place are not reported.
int clinux_watch_open(int directory);

// Takes everything that happened, in order, without waiting. The name is valid during the call, and empty unless the event is
// clinux_watch_name or clinux_watch_removed. Returns 0, or -1 with errno set.
int clinux_watch_take(
    int descriptor, void (*report)(void *context, enum clinux_watch_event event, const char *name), void *context);
