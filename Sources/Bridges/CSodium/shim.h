// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<sodium.h>)
#error "sodium.h is missing: install it with  apt-get install libsodium-dev  (or run  make deps)"
#else
#include <sodium.h>
#endif
