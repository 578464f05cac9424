#include "CTexts.h"

// The compiler reads the file (#embed of C23); before C23 that is an extension of clang's.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char text[] = {
#embed "Files/bip39_english.txt"
};

struct casemate_text casemate_english_words(void) { return (struct casemate_text){text, sizeof text}; }
