// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<gio/gio.h>)
#error "gio/gio.h is missing: install it with  apt-get install libglib2.0-dev  (or run  make deps-window)"
#else
#include <gio/gio.h>
#endif
