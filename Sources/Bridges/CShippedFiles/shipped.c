#include "CShippedFiles.h"

#include <string.h>

// The compiler reads the files (#embed of C23); before C23 that is an extension of clang's.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char kusama[] = {
#embed "Files/kusama.metadata"
};
static const unsigned char polkadot[] = {
#embed "Files/polkadot.metadata"
};
static const unsigned char statemint[] = {
#embed "Files/statemint.metadata"
};
static const unsigned char westend[] = {
#embed "Files/westend.metadata"
};
static const unsigned char westend_batch[] = {
#embed "Files/westend-batch.png"
};

static const struct casemate_shipped_file files[] = {
    {"kusama.metadata", kusama, sizeof kusama},
    {"polkadot.metadata", polkadot, sizeof polkadot},
    {"statemint.metadata", statemint, sizeof statemint},
    {"westend.metadata", westend, sizeof westend},
    {"westend-batch.png", westend_batch, sizeof westend_batch},
};

struct casemate_shipped_file casemate_shipped_file(const char *name) {
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
        if (strcmp(files[index].name, name) == 0) return files[index];
    }
    return (struct casemate_shipped_file){name, NULL, 0};
}
