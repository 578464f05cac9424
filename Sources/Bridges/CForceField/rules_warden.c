#if defined(__linux__)

#include <signal.h>
#include <stdint.h>

#include "filter_rules.h"
#include "system_calls.h"

// SECCOMP_IOCTL_NOTIF_RECV and _SEND, without those that pass descriptors or set flags.
enum { notif_recv = 0xc0502100u, notif_send = 0xc0182101u };

static const struct rule rules[] = {
    // Records to and from the host and the worker, and the listener.
    ALLOW(read),
    ALLOW(write),
    ALLOW(recvmsg),
    ALLOW(recvfrom),
    {CALL(sendto), OR_FORBID, .conditions = {{test_zero, LOW(4)}}},
    ALLOW(poll),
    ALLOW(ppoll),
    ALLOW(close),
    {CALL(ioctl), OR_FORBID, .conditions = {{test_in, LOW(1), VALUES(notif_recv, notif_send)}}},

    // The worker's end, and the warning before it.
    {CALL(pidfd_send_signal), OR_FORBID, .conditions = {{test_in, LOW(1), VALUES(SIGKILL, SIGXCPU)}}},
    {CALL(kill), OR_FORBID, .conditions = {{test_in, LOW(0), VALUES(OWN_PROCESS)}, {test_in, LOW(1), VALUES(SIGKILL)}}},
    ALLOW(wait4),

    ALLOW(clock_gettime),
    ALLOW(exit_group),
    ALLOW(rt_sigreturn),
    ALLOW(restart_syscall),
};

const struct rule_table warden_rules = {rules, sizeof rules / sizeof rules[0]};

#endif
