#ifndef ZEROING_HEAP_H
#define ZEROING_HEAP_H

// A program that is linked with this gives no memory of the heap back before zeros are put over it: what was decrypted for a moment,
// in strings and arrays that nobody wipes, does not stay to be found. It declares nothing: `free` and `realloc` are the
// program's own from then on, for every library of the process. Where the C library is not glibc it changes nothing.

#endif
