#ifndef ZEROING_LIBCRYPTO_H
#define ZEROING_LIBCRYPTO_H

// A program that is linked with this has libcrypto put zeros over all memory that it gives back. By itself it leaves the DER of private
// keys there that it has read, and the scalars that points were multiplied by (OpenSSL 3.0). It declares nothing: it is in force before
// main. Where something has used libcrypto before that, and where a program sets functions of its own before the first use, those stay,
// and where the C library is not glibc it changes nothing.

#endif
