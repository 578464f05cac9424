#pragma once

#include <stddef.h>

// Text, as scripts/decompositions.swift writes it; its place and length.
const char *casemate_decompositions(size_t *count);
