// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<openssl/evp.h>)
#error "openssl/evp.h is missing: install it with  apt-get install libssl-dev  (or run  make deps)"
#else
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>

/// Macros of macros, which Swift does not see.
enum { clibcrypto_public_key = EVP_PKEY_PUBLIC_KEY, clibcrypto_key_pair = EVP_PKEY_KEYPAIR };
#endif
