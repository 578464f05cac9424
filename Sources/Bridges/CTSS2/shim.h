// Bridge to the system library; the check below turns a missing header into a message that names the package.
#if !__has_include(<tss2/tss2_esys.h>)
#error "tss2/tss2_esys.h is missing: install it with  apt-get install libtss2-dev  (or run  make deps)"
#else
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_rc.h>
#include <tss2/tss2_tctildr.h>
#endif
