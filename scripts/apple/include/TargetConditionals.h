// The C here is checked as for macOS.
#pragma once
#define TARGET_OS_OSX 1
