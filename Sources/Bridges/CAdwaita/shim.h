// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<adwaita.h>)
#error "adwaita.h is missing: install it with  apt-get install libadwaita-1-dev  (or run  make deps-window)"
#else
#include <adwaita.h>
#include <glib-unix.h>
#endif
