// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<openssl/evp.h>)
#error "openssl/evp.h is missing: install it with  apt-get install libssl-dev  (or run  make deps)"
#else
#include <openssl/crypto.h>
#include <openssl/evp.h>
#endif
