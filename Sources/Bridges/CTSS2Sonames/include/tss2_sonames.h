// What is opened to use a TPM. CTSS2 has the functions.
#pragma once

// In the order in which they need each other; ended by NULL.
const char *_Nullable const *_Nonnull tss2_sonames(void);
