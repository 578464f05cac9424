// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<systemd/sd-bus.h>)
#error "systemd/sd-bus.h is missing: install it with  apt-get install libsystemd-dev  (or run  make deps)"
#else
#include <systemd/sd-bus.h>
#endif
