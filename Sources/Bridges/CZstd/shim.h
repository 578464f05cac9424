// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<zstd.h>)
#error "zstd.h is missing: install it with  apt-get install libzstd-dev  (or run  make deps)"
#else
#include <zstd.h>
#endif
