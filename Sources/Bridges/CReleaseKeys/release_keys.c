#include "release_keys.h"

// Set by the package's manifest from the environment variables of the same names.
#ifndef CASEMATE_RELEASE_KEYS
#define CASEMATE_RELEASE_KEYS ""
#endif
#ifndef CASEMATE_RELEASE_THRESHOLD
#define CASEMATE_RELEASE_THRESHOLD ""
#endif

static const char keys[] = CASEMATE_RELEASE_KEYS;
static const char threshold[] = CASEMATE_RELEASE_THRESHOLD;

const char *casemate_release_keys(void) { return keys; }
const char *casemate_release_threshold(void) { return threshold; }
