// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<secp256k1_recovery.h>)
#error "secp256k1_recovery.h is missing: install it with  apt-get install libsecp256k1-dev  (or run  make deps)"
#else
#include <secp256k1.h>
#include <secp256k1_recovery.h>
#endif
