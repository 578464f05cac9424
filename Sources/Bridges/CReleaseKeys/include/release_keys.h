// The keys that manifests of this build have to be signed with. They are part of the program's code, so that whoever exchanges
// them changes what the validator measures.
#pragma once

// Public P-256 keys in X9.63, hex, separated by commas; empty in a build that nobody releases.
const char *casemate_release_keys(void);

// How many of them have to have signed, in decimal; empty for one.
const char *casemate_release_threshold(void);
