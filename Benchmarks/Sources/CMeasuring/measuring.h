// What glibc has and Swift does not import of it: malloc_trim(3), fallocate(2).
#pragma once
int malloc_trim(unsigned long padding);
int fallocate(int descriptor, int mode, long offset, long length);
