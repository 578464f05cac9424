#include "CTexts.h"

// The compiler reads the file (#embed of C23); before C23 that is an extension of clang's.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char text[] = {
#embed "Files/window.css"
};

struct casemate_text casemate_window_style(void) { return (struct casemate_text){text, sizeof text}; }
