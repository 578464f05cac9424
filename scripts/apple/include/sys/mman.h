// minherit(2).
#pragma once
#include_next <sys/mman.h>
int minherit(void *address, size_t length, int inheritance);
