#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "clinux_network.h"

#include <errno.h>

#ifndef __linux__

static int none(void) {
    errno = ENOSYS;
    return -1;
}

int clinux_network_watch(void) { return none(); }
int clinux_network_take(int watch, const struct clinux_network_reports *reports) { return none(); }
int clinux_network_open(void) { return none(); }
int clinux_network_ask(int descriptor, const struct clinux_network_reports *reports) { return none(); }
int clinux_network_isolate(void) { return none(); }
int clinux_network_isolate_as_user(void) { return none(); }
int clinux_device_watch(void) { return none(); }
int clinux_device_take(int watch) { return none(); }
int clinux_radio_take(int descriptor, struct clinux_radio *radio) { return none(); }
int clinux_network_wait(const int *readable, int readable_count, const int *objects, int object_count) { return none(); }

#else

#include <linux/if.h>
#include <linux/netlink.h>
#include <linux/rfkill.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    loopback_index = 1,         // The kernel gives it to the loopback of every namespace.
    kernel_port = 0,
    device_group = 1,           // Of uevents: those of the kernel itself.
    watch_memory = 1 << 20,     // Bytes of messages that are kept for a reader who is busy.
    most_messages = 4096,       // Taken at once; the rest at the next call.
    most_attempts = 8,          // At a list that changes while it is read.
    most_descriptors = 64,
    answer_time = 10000,        // Milliseconds: the kernel answers at once or not at all.
};

static int open_socket(int family, unsigned groups) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, family);
    if (descriptor < 0) return -1;
    int memory = watch_memory;
    // As much as this process may have.
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &memory, sizeof memory);
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    int reason = errno;
    close(descriptor);
    errno = reason;
    return -1;
}

// Receives a message of the kernel; others could send some too. Returns its size; 0 for one to be passed over.
static ssize_t receive(int descriptor, void *buffer, size_t size) {
    struct sockaddr_nl sender = {0};
    struct iovec part = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {.msg_name = &sender, .msg_namelen = sizeof sender, .msg_iov = &part, .msg_iovlen = 1};
    ssize_t count;
    do { count = recvmsg(descriptor, &message, 0); } while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    if (message.msg_namelen != sizeof sender || sender.nl_pid != kernel_port) return 0;
    if (message.msg_flags & MSG_TRUNC) {
        errno = ENOBUFS;
        return -1;
    }
    return count;
}

static uint32_t number(const struct rtattr *attribute) {
    uint32_t value = 0;
    if (RTA_PAYLOAD(attribute) >= sizeof value) memcpy(&value, RTA_DATA(attribute), sizeof value);
    return value;
}

static int octet(const struct rtattr *attribute) {
    return RTA_PAYLOAD(attribute) >= 1 ? *(const uint8_t *)RTA_DATA(attribute) : 0;
}

static void report_link(const struct nlmsghdr *header, const struct clinux_network_reports *reports) {
    if (header->nlmsg_len < NLMSG_LENGTH(sizeof(struct ifinfomsg))) return;
    const struct ifinfomsg *info = NLMSG_DATA(header);
    int length = (int)(header->nlmsg_len - NLMSG_LENGTH(sizeof *info));
    struct clinux_network_link link = {.index = info->ifi_index, .is_loopback = info->ifi_index == loopback_index};
    int has_carrier = (info->ifi_flags & IFF_LOWER_UP) != 0;
    const struct rtattr *attribute = IFLA_RTA(info);
    for (; RTA_OK(attribute, length); attribute = RTA_NEXT(attribute, length)) {
        if (attribute->rta_type == IFLA_IFNAME) {
            size_t size = RTA_PAYLOAD(attribute);
            memcpy(link.name, RTA_DATA(attribute), size < sizeof link.name ? size : sizeof link.name - 1);
            link.name[sizeof link.name - 1] = 0;
        }
        if (attribute->rta_type == IFLA_CARRIER && octet(attribute) == 1) has_carrier = 1;
        if (attribute->rta_type == IFLA_OPERSTATE && octet(attribute) == IF_OPER_UP) has_carrier = 1;
    }
    // One that is switched off keeps its carrier, and nothing goes through it.
    link.is_up = (info->ifi_flags & IFF_UP) && has_carrier;
    reports->link(reports->context, &link);
}

static void report_hops(const struct rtattr *attribute, const struct clinux_network_reports *reports) {
    const struct rtnexthop *hop = RTA_DATA(attribute);
    int length = (int)RTA_PAYLOAD(attribute);
    while (RTNH_OK(hop, length)) {
        if (hop->rtnh_ifindex != loopback_index) reports->route(reports->context, hop->rtnh_ifindex);
        length -= RTNH_ALIGN(hop->rtnh_len);
        hop = RTNH_NEXT(hop);
    }
}

static void report_route(const struct nlmsghdr *header, const struct clinux_network_reports *reports) {
    if (header->nlmsg_len < NLMSG_LENGTH(sizeof(struct rtmsg))) return;
    const struct rtmsg *route = NLMSG_DATA(header);
    int length = (int)(header->nlmsg_len - NLMSG_LENGTH(sizeof *route));
    int has_interface = 0;
    const struct rtattr *attribute = RTM_RTA(route);
    for (; RTA_OK(attribute, length); attribute = RTA_NEXT(attribute, length)) {
        if (attribute->rta_type == RTA_OIF) {
            has_interface = 1;
            int32_t interface = (int32_t)number(attribute);
            if (interface != loopback_index) reports->route(reports->context, interface);
        }
        if (attribute->rta_type == RTA_MULTIPATH) {
            has_interface = 1;
            report_hops(attribute, reports);
        }
    }
    // Routes that lead nowhere name no interface; those by a next-hop object may leave it to the object.
    int leads_somewhere = route->rtm_type != RTN_BLACKHOLE && route->rtm_type != RTN_UNREACHABLE &&
                          route->rtm_type != RTN_PROHIBIT && route->rtm_type != RTN_THROW;
    if (!has_interface && leads_somewhere) reports->route(reports->context, 0);
}

static void report(const struct nlmsghdr *header, const struct clinux_network_reports *reports) {
    if (header->nlmsg_type == RTM_NEWLINK) report_link(header, reports);
    if (header->nlmsg_type == RTM_NEWROUTE) report_route(header, reports);
}

int clinux_network_watch(void) {
    return open_socket(
        NETLINK_ROUTE, RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE);
}

int clinux_network_take(int watch, const struct clinux_network_reports *reports) {
    char buffer[32768] __attribute__((aligned(NLMSG_ALIGNTO)));
    int has_lost = 0;
    for (int count = 0; count < most_messages; count++) {
        ssize_t size = receive(watch, buffer, sizeof buffer);
        if (size < 0 && errno == ENOBUFS) {
            has_lost = 1;
            continue;
        }
        if (size < 0) return errno == EAGAIN ? has_lost : -1;
        size_t rest = (size_t)size;
        for (const struct nlmsghdr *header = (const void *)buffer; NLMSG_OK(header, rest); header = NLMSG_NEXT(header, rest)) {
            report(header, reports);
        }
    }
    return has_lost;
}

int clinux_network_open(void) { return open_socket(NETLINK_ROUTE, 0); }

// 1: the list is whole, 0: it changed meanwhile.
static int read_list(int descriptor, uint32_t sequence, const struct clinux_network_reports *reports) {
    char buffer[32768] __attribute__((aligned(NLMSG_ALIGNTO)));
    int is_whole = 1;
    for (;;) {
        struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
        int ready = poll(&waiting, 1, answer_time);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) errno = ETIMEDOUT;
        if (ready <= 0) return -1;
        ssize_t size = receive(descriptor, buffer, sizeof buffer);
        if (size < 0 && errno == EAGAIN) continue;
        if (size < 0) return -1;
        size_t rest = (size_t)size;
        for (const struct nlmsghdr *header = (const void *)buffer; NLMSG_OK(header, rest); header = NLMSG_NEXT(header, rest)) {
            // The rest of an answer that was given up.
            if (header->nlmsg_seq != sequence) continue;
            if (header->nlmsg_flags & NLM_F_DUMP_INTR) is_whole = 0;
            if (header->nlmsg_type == NLMSG_DONE) {
                // Where the kernel gives the list up, an entry that fits no answer for one, it says why here.
                int32_t error = 0;
                if (header->nlmsg_len >= NLMSG_LENGTH(sizeof error)) memcpy(&error, NLMSG_DATA(header), sizeof error);
                if (error >= 0) return is_whole;
                errno = -error;
                return -1;
            }
            if (header->nlmsg_type == NLMSG_ERROR) {
                const struct nlmsgerr *error = NLMSG_DATA(header);
                errno = header->nlmsg_len >= NLMSG_LENGTH(sizeof *error) && error->error < 0 ? -error->error : EPROTO;
                return -1;
            }
            report(header, reports);
        }
    }
}

static int ask(int descriptor, uint16_t type, const struct clinux_network_reports *reports) {
    static _Atomic uint32_t sequences;
    for (int attempt = 0; attempt < most_attempts; attempt++) {
        size_t size = type == RTM_GETLINK ? sizeof(struct ifinfomsg) : sizeof(struct rtmsg);
        struct nlmsghdr header = {
            .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP, .nlmsg_seq = ++sequences,
            .nlmsg_len = (uint32_t)NLMSG_LENGTH(size),
        };
        // What follows the header is zeros: of any family.
        char question[NLMSG_LENGTH(sizeof(struct ifinfomsg))] = {0};
        memcpy(question, &header, sizeof header);
        if (send(descriptor, question, header.nlmsg_len, 0) < 0) return -1;
        int state = read_list(descriptor, header.nlmsg_seq, reports);
        if (state != 0) return state < 0 ? -1 : 0;
    }
    errno = EBUSY;
    return -1;
}

int clinux_network_ask(int descriptor, const struct clinux_network_reports *reports) {
    if (ask(descriptor, RTM_GETLINK, reports) != 0) return -1;
    return ask(descriptor, RTM_GETROUTE, reports);
}

int clinux_network_isolate(void) { return unshare(CLONE_NEWNET); }

int clinux_network_isolate_as_user(void) { return unshare(CLONE_NEWUSER | CLONE_NEWNET); }

int clinux_device_watch(void) { return open_socket(NETLINK_KOBJECT_UEVENT, device_group); }

int clinux_device_take(int watch) {
    char buffer[8192];
    for (int count = 0; count < most_messages; count++) {
        if (receive(watch, buffer, sizeof buffer) < 0 && errno != ENOBUFS) return errno == EAGAIN ? 0 : -1;
    }
    return 0;
}

int clinux_radio_take(int descriptor, struct clinux_radio *radio) {
    struct rfkill_event event;
    ssize_t count;
    // One event, cut to the oldest kind, which says all that is asked.
    do { count = read(descriptor, &event, sizeof event); } while (count < 0 && errno == EINTR);
    if (count < 0) return errno == EAGAIN ? 0 : -1;
    if (count < (ssize_t)sizeof event) {
        errno = EPROTO;
        return -1;
    }
    *radio = (struct clinux_radio){event.idx, event.type, event.op, event.soft, event.hard};
    return 1;
}

int clinux_network_wait(const int *readable, int readable_count, const int *objects, int object_count) {
    struct pollfd waiting[most_descriptors];
    if (readable_count < 0 || object_count < 0 || readable_count > most_descriptors - object_count) {
        errno = EINVAL;
        return -1;
    }
    nfds_t count = 0;
    for (int index = 0; index < readable_count; index++) {
        waiting[count++] = (struct pollfd){.fd = readable[index], .events = POLLIN};
    }
    for (int index = 0; index < object_count; index++) {
        waiting[count++] = (struct pollfd){.fd = objects[index], .events = POLLPRI};
    }
    return poll(waiting, count, -1) < 0 && errno != EINTR ? -1 : 0;
}

#endif
