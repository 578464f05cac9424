// The worker's side. Stage 0 itself is a constructor: a program that links this room runs it before main when it is started by
// cforcefield_spawn, and is otherwise unaffected.
#pragma once

#if defined(__linux__)

// 1 in a process that cforcefield_spawn has started, else 0: for programs that are host and worker in one.
int cforcefield_is_worker(void);

// 1 in a process that runs under the filter of a worker, else 0: for programs of exec mode, which have no stage 0 of their own.
int cforcefield_is_confined(void);

// The first of the arguments that cforcefield_spawn was given, by which a host names a role; NULL in any other process. Without
// /proc, Swift does not find it by itself.
const char *cforcefield_worker_name(void);

// Completes the lock of a worker whose policy says cforcefield_policy_lock_ready: call it when everything is loaded, before
// the first byte from outside is read. From then on no file can be opened, also none of the policy. Returns 0, or -1 with
// errno EALREADY if the lock is complete or none was asked for. A lock that cannot be completed ends the process.
int cforcefield_lock_now(void);

#endif
