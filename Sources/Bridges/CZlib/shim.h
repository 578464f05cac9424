// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<zlib.h>)
#error "zlib.h is missing: install it with  apt-get install zlib1g-dev  (or run  make deps)"
#else
#include <zlib.h>
#endif
