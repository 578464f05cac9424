// This machine's, without the macro by which C tells that its library is glibc.
#include_next <features.h>
#undef __GLIBC__
#undef __GLIBC_MINOR__
