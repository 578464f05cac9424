#pragma once
#include_next <errno.h>
#define ENOATTR 93
