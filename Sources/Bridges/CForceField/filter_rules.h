// What a filter says of each system call. A rule with conditions allows the call if all of them hold; without any its action
// is taken. A call may have several rules, tried in the order of the table; if the conditions of none hold, the action of the
// last is taken. A call without a rule is forbidden.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The part of an argument that a condition looks at. Quantities of type int are compared in their low word only, since the
// kernel itself ignores the high one; pointers in both.
enum test {
    test_none,
    test_in,     // (low & mask) is one of the values
    test_not_in, // (low & mask) is none of the values
    test_zero,   // both words are 0
};

struct condition {
    uint8_t test;
    uint8_t argument; // 0...5
    uint8_t count;
    uint32_t mask;
    const uint32_t *values;
};

#define MOST_CONDITIONS 2

enum action {
    action_allow,
    action_forbid, // to the warden, or the end of the process
    action_errno,
};

struct rule {
    int16_t x86_64, aarch64;
    // Options of cforcefield_filter_options that must be there, and that must not, for the rule to count.
    uint8_t with, without;
    // What happens if there are no conditions or they do not hold, and, for action_errno, with which error.
    uint8_t otherwise, error;
    struct condition conditions[MOST_CONDITIONS];
};

// A value in a rule that stands for a number known only when the filter is built: the worker's pid, or the warden's group.
#define OWN_PROCESS 0xfffffffeu

struct rule_table {
    const struct rule *rules;
    size_t count;
};

extern const struct rule_table compute_rules;
extern const struct rule_table warden_rules;

// For the tables.
#define CALL(name) .x86_64 = x86_64_##name, .aarch64 = aarch64_##name
#define VALUES(...) \
    .count = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), .values = (const uint32_t[]) { __VA_ARGS__ }
#define LOW(n) .argument = (n), .mask = 0xffffffffu
#define LOW_MASKED(n, bits) .argument = (n), .mask = (bits)

#define ALLOW(name) {CALL(name), .otherwise = action_allow}
#define FAIL(name, number) {CALL(name), .otherwise = action_errno, .error = (number)}
#define OR_FORBID .otherwise = action_forbid
#define OR_FAIL(number) .otherwise = action_errno, .error = (number)
