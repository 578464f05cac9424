// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<libpq-fe.h>)
#error "libpq-fe.h is missing: install it with  apt-get install libpq-dev  (or run  make deps)"
#else
#include <libpq-fe.h>
#endif
