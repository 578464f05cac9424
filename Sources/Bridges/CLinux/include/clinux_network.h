// Interfaces and routes of a network namespace (rtnetlink), devices that change (uevents) and radios (rfkill). Linux only;
// elsewhere ENOSYS.
//
// Every function returns 0 or what it says, or -1 with errno set. Descriptors do not block, are closed by exec and belong to the
// namespace of the thread that opened them.
#pragma once

#include <stdint.h>

struct clinux_network_link {
    int32_t index;
    int32_t is_loopback;
    int32_t is_up;       // Switched on, and something is at the other end of the cable or in the air.
    char name[16];
};

// What is reported: an interface, or a route through an interface other than the loopback, whose index is 0 where only the kernel
// knows it.
struct clinux_network_reports {
    void *context;
    void (*link)(void *context, const struct clinux_network_link *link);
    void (*route)(void *context, int32_t interface);
};

// A descriptor that is readable when an interface, an address or a route came, went or changed.
int clinux_network_watch(void);

// Takes what a watch has, and reports the interfaces and routes that came or changed, as they were then. Returns 0, or 1 if the
// kernel had more to tell than was kept.
int clinux_network_take(int watch, const struct clinux_network_reports *reports);

// A descriptor to ask by.
int clinux_network_open(void);

// Asks for all interfaces and all routes there are now.
int clinux_network_ask(int descriptor, const struct clinux_network_reports *reports);

// Moves this thread, and what it starts from now on, to a new network namespace, which holds a loopback that is switched off. EPERM:
// this process may not.
int clinux_network_isolate(void);

// The same for a process without any right to it, by a new namespace of users, in which its user and group have no number until their
// maps are written. To be called before there are other threads.
int clinux_network_isolate_as_user(void);

// A descriptor that is readable when a device came, went or changed.
int clinux_device_watch(void);

// Takes what the watch has. What it was is to be looked up.
int clinux_device_take(int watch);

struct clinux_radio {
    uint32_t index;
    uint8_t type;      // of enum rfkill_type: 1 wireless LAN, 2 Bluetooth, 3 UWB, 4 WiMAX, 5 mobile network, 6 GPS, 7 FM, 8 NFC
    uint8_t operation; // 0 and 2: it is there; 1: it went
    uint8_t is_soft_blocked;
    uint8_t is_hard_blocked;
};

// Takes the next change of a radio from /dev/rfkill, which begins with all radios there are. Returns 1, or 0 if there is none now.
int clinux_radio_take(int descriptor, struct clinux_radio *radio);

// Waits without end until one of the descriptors is readable, or one of the files of the kernel's objects, which always are, says
// that it changed (POLLPRI) since it was read. A negative descriptor is passed over. EINVAL: more than 64.
int clinux_network_wait(const int *readable, int readable_count, const int *objects, int object_count);
