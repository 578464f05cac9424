#ifndef NO_LOCALE_DATA_H
#define NO_LOCALE_DATA_H

// A program that is linked with this, and with Foundation as a static library, has none of ICU's data: dates, numbers and texts are
// never put into the form of a language, and whatever tries is told that the language is not there. It declares nothing.

#endif
