// getxattr(2), setxattr(2).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
ssize_t fgetxattr(int descriptor, const char *name, void *value, size_t size, uint32_t position, int options);
int fsetxattr(int descriptor, const char *name, const void *value, size_t size, uint32_t position, int options);
