// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<adwaita.h>)
#error "adwaita.h is missing: install it with  apt-get install libadwaita-1-dev  (or run  make deps-window)"
#else
#include <adwaita.h>
#include <glib-unix.h>

// How another loop than Dispatch's runs the main queue: a descriptor that is readable when something waits (an eventfd), and what
// drains the queue. Exported by libdispatch, which declares them in no installed header; CoreFoundation's run loop uses the same.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
#endif
