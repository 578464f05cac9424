// ptrace(2).
#pragma once
#include <sys/types.h>
#define PT_DENY_ATTACH 31
int ptrace(int request, pid_t process, char *address, int data);
