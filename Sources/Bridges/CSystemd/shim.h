// Bridge to the system library; the check below turns a missing header into a message that names the package. No
// program is linked with it: it is opened when it is first used (LateLibraries).
#pragma once

#if !__has_include(<systemd/sd-bus.h>)
#error "systemd/sd-bus.h is missing: install it with  apt-get install libsystemd-dev  (or run  make deps)"
#else
#include <systemd/sd-bus.h>

// The functions that are called, each once.
#define SYSTEMD_FUNCTIONS(each) \
    each(sd_bus_call) \
    each(sd_bus_close_unref) \
    each(sd_bus_error_free) \
    each(sd_bus_get_fd) \
    each(sd_bus_message_append_basic) \
    each(sd_bus_message_enter_container) \
    each(sd_bus_message_exit_container) \
    each(sd_bus_message_get_path) \
    each(sd_bus_message_get_reply_cookie) \
    each(sd_bus_message_get_sender) \
    each(sd_bus_message_is_signal) \
    each(sd_bus_message_new_method_call) \
    each(sd_bus_message_read_basic) \
    each(sd_bus_message_set_auto_start) \
    each(sd_bus_message_skip) \
    each(sd_bus_message_unref) \
    each(sd_bus_new) \
    each(sd_bus_process) \
    each(sd_bus_send) \
    each(sd_bus_set_address) \
    each(sd_bus_set_bus_client) \
    each(sd_bus_set_method_call_timeout) \
    each(sd_bus_start)

// Their addresses, in this order.
#define SYSTEMD_ADDRESS(name) __typeof__(name) *_Nonnull name;
struct systemd_functions {
    SYSTEMD_FUNCTIONS(SYSTEMD_ADDRESS)
};
#undef SYSTEMD_ADDRESS

// Their names, ended by NULL.
static inline const char *_Nullable const *_Nonnull systemd_function_names(void) {
#define SYSTEMD_NAME(name) #name,
    static const char *const names[] = {SYSTEMD_FUNCTIONS(SYSTEMD_NAME) 0};
#undef SYSTEMD_NAME
    return names;
}
#endif
