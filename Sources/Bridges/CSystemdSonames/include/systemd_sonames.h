// What is opened to hear of the screen's lock and of sleep. CSystemd has the functions.
#pragma once

// Ended by NULL.
const char *_Nullable const *_Nonnull systemd_sonames(void);
