// One function for each attempt of audit_probes.def. It returns what `syscall` returned, and leaves errno.
#pragma once

#define AUDIT_PROBE(name, expected) long audit_##name(void);
#define AUDIT_PROBE_OF_X86_64(name, expected) long audit_##name(void);
#include "audit_probes.def"
#undef AUDIT_PROBE
#undef AUDIT_PROBE_OF_X86_64
