#include "window_start.h"

#include "clean_start.h"

#include <stddef.h>

// None of these names code. What could (GTK_PATH, GIO_MODULE_DIR, GTK_MODULES, LIBGL_DRIVERS_PATH …) is not here; style sheets, fonts and
// themes of the person are kept out by places that hold nothing (WindowEnvironment.swift), which are set again in each process.
const char *const clean_start_further[] = {
    "DISPLAY=",
    "WAYLAND_DISPLAY=",
    "XAUTHORITY=",
    "DBUS_SESSION_BUS_ADDRESS=",
    // Read before the first line of the program.
    "G_SLICE=always-malloc",
    NULL,
};

int window_start_count(void) {
    int count = 0;
    while (clean_start_further[count]) count++;
    return count;
}
