#pragma once

#include <stddef.h>

// A text that is part of the program: what the program is measured by covers it. Each has a C file of its own, so that a program
// carries those alone that it reads.
struct casemate_text {
    const char *bytes;
    size_t count;
};

// Unicode's compatibility decompositions, as scripts/decompositions.swift writes them.
struct casemate_text casemate_decompositions(void);
// What the arguments of calls mean, a line for each call.
struct casemate_text casemate_roles(void);
// The words of the Electronic Frontier Foundation's large list for passphrases, in its order, with spaces and line ends between them.
// From https://www.eff.org/dice, licensed under Creative Commons Attribution 3.0 United States
// (https://creativecommons.org/licenses/by/3.0/us/); the numbers of dice are left out.
struct casemate_text casemate_passphrase_words(void);
// The English words of BIP-39, in its order, with spaces and line ends between them.
struct casemate_text casemate_english_words(void);
// A page that shows a film by itself, without what its script begins with: numbers and frames of the film.
struct casemate_text casemate_film_page(void);
// How the window's pages look, beyond what the library gives by itself.
struct casemate_text casemate_window_style(void);
