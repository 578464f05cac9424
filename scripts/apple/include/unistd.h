#pragma once
#include_next <unistd.h>
int issetugid(void);
