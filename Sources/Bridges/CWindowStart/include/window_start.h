// A program that is linked with this target and CCleanStart keeps, beyond what all keep, what a window needs: where the screen and the
// session's bus are, and settings of the libraries of widgets, those alone that the program itself would set.
#pragma once

// The number of variables that are kept beyond the list of CCleanStart.
int window_start_count(void);
