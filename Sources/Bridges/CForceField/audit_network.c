#if defined(__linux__)
#define _GNU_SOURCE

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "audit.h"
#include "system_calls.h"

// By number: libc's headers may not have all of them.
enum { af_alg = 38, af_vsock = 40, siocgifconf = 0x8912 };

static long open_socket(int domain, int type) { return syscall(native_socket, domain, type, 0); }

long audit_net_inet_tcp(void) { return open_socket(AF_INET, SOCK_STREAM); }
long audit_net_inet6_udp(void) { return open_socket(AF_INET6, SOCK_DGRAM); }
long audit_net_unix(void) { return open_socket(AF_UNIX, SOCK_STREAM); }
long audit_net_netlink(void) { return open_socket(AF_NETLINK, SOCK_RAW); }
// Not confined by a network namespace: it reaches the hypervisor.
long audit_net_vsock(void) { return open_socket(af_vsock, SOCK_STREAM); }
long audit_net_alg(void) { return open_socket(af_alg, SOCK_SEQPACKET); }

long audit_net_socketpair(void) {
    int pair[2];
    return syscall(native_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
}

long audit_net_connect(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return syscall(native_connect, 3, &address, sizeof address);
}

long audit_tty_tiocsti(void) {
    char byte = ' ';
    return syscall(native_ioctl, 0, TIOCSTI, &byte);
}

long audit_tty_ioctl_sock(void) {
    long configuration[2] = {0};
    return syscall(native_ioctl, 3, siocgifconf, configuration);
}

#endif
