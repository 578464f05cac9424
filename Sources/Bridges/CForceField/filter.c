#if defined(__linux__)

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>

#include "cforcefield_filter.h"
#include "filter_rules.h"
#include "system_calls.h"

// Where struct seccomp_data has what; both architectures are little endian, so the low word of an argument comes first.
enum { offset_number = 0, offset_architecture = 4, offset_arguments = 16 };

// x32 calls have this bit; AArch64 has no calls up there either.
#define FIRST_X32 0x40000000u

// Numbers of calls are below 512 on both architectures for years to come (470 were used in Linux 6.17).
#define NUMBERS 512

// More than there are numbers with a rule, twice: each rule begins an interval and ends one.
#define MOST_INTERVALS 512

// Rules that a table may have.
#define MOST_RULES 256

// A range of numbers that are treated alike: from start up to the next interval's.
struct interval {
    uint32_t start;
    // The number's rules are looked up in the table by it; -1: no rule.
    int32_t number;
};

// The rules of one number that count: places in the table, counted from 1; 0: none.
struct numbered {
    uint16_t first, last;
    // Whether some rule of it depends on the lock's being complete.
    bool is_coarse;
};

// What a filter is built from, and the program so far. It is written from its end to its beginning: every jump goes forward in
// the program, so its target is already there when the jump is written.
struct builder {
    const struct rule_table *table;
    uint32_t architecture, options, process, forbidden;
    // What happens to a number without a rule.
    uint32_t unknown;
    struct numbered numbers[NUMBERS];
    // For each rule of the table the one before it of the same number, as above.
    uint16_t previous[MOST_RULES + 1];
    struct cforcefield_instruction *program;
    size_t capacity, length;
};

// A place in the program, counted from its end.
typedef size_t place;

// Writes one instruction before all others. What does not fit is counted only, and refused at the end.
static place emit(struct builder *builder, uint16_t code, uint8_t jump_true, uint8_t jump_false, uint32_t k) {
    if (builder->length < builder->capacity) {
        builder->program[builder->capacity - 1 - builder->length] =
            (struct cforcefield_instruction){code, jump_true, jump_false, k};
    }
    return ++builder->length;
}

static place emit_return(struct builder *builder, uint32_t action) {
    return emit(builder, BPF_RET | BPF_K, 0, 0, action);
}

// The distance of a jump from the instruction that is written next.
static size_t distance(const struct builder *builder, place target) { return builder->length - target; }

// A place within reach of the comparison that is written next, with one more instruction between: the place itself, or an
// unconditional jump to it.
static place within_reach(struct builder *builder, place target) {
    if (distance(builder, target) < 255) return target;
    return emit(builder, BPF_JMP | BPF_JA, 0, 0, (uint32_t)distance(builder, target));
}

// A comparison with the accumulator.
static place emit_jump(struct builder *builder, uint16_t comparison, uint32_t k, place if_true, place if_false) {
    if_false = within_reach(builder, if_false);
    if_true = within_reach(builder, if_true);
    return emit(
        builder, BPF_JMP | comparison | BPF_K, (uint8_t)distance(builder, if_true), (uint8_t)distance(builder, if_false), k);
}

static place emit_load(struct builder *builder, uint32_t offset) {
    return emit(builder, BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
}

static place emit_condition(struct builder *builder, const struct condition *condition, place holds, place fails) {
    uint32_t low = offset_arguments + 8u * condition->argument;
    if (condition->test == test_zero) {
        emit_jump(builder, BPF_JEQ, 0, holds, fails);
        place high = emit_load(builder, low + 4);
        emit_jump(builder, BPF_JEQ, 0, high, fails);
        return emit_load(builder, low);
    }
    place found = condition->test == test_in ? holds : fails;
    place next = condition->test == test_in ? fails : holds;
    for (size_t index = condition->count; index-- > 0;) {
        uint32_t value = condition->values[index];
        next = emit_jump(builder, BPF_JEQ, value == OWN_PROCESS ? builder->process : value, found, next);
    }
    if (condition->mask != 0xffffffffu) emit(builder, BPF_ALU | BPF_AND | BPF_K, 0, 0, condition->mask);
    return emit_load(builder, low);
}

static int32_t number_of(const struct builder *builder, const struct rule *rule) {
    return builder->architecture == CFORCEFIELD_X86_64 ? rule->x86_64 : rule->aarch64;
}

static bool counts(const struct rule *rule, uint32_t options) {
    return (rule->with & ~options) == 0 && (rule->without & options) == 0;
}

static uint32_t action_of(const struct builder *builder, const struct rule *rule) {
    if (rule->otherwise == action_allow) return SECCOMP_RET_ALLOW;
    return rule->otherwise == action_errno ? SECCOMP_RET_ERRNO | rule->error : builder->forbidden;
}

// Sorts the table's rules by their numbers, once: the table is a hundred times as long as what there is of one number.
static bool sort_rules(struct builder *builder) {
    if (builder->table->count > MOST_RULES) return false;
    for (size_t place = 1; place <= builder->table->count; place++) {
        const struct rule *rule = &builder->table->rules[place - 1];
        int32_t number = number_of(builder, rule);
        if (number < 0) continue; // the architecture does not have it
        if (number >= NUMBERS) return false;
        struct numbered *same = &builder->numbers[number];
        same->is_coarse = same->is_coarse || ((rule->with | rule->without) & cforcefield_filter_before_ready) != 0;
        if (!counts(rule, builder->options)) continue;
        builder->previous[place] = same->last;
        same->last = (uint16_t)place;
        if (same->first == 0) same->first = same->last;
    }
    return true;
}

// What happens to one number: its rules from the last to the first, each falling to the one after it.
static place emit_rules(struct builder *builder, int32_t number) {
    uint16_t last = number < 0 ? 0 : builder->numbers[number].last;
    if (last == 0) return emit_return(builder, number < 0 ? builder->unknown : builder->forbidden);
    place next = emit_return(builder, action_of(builder, &builder->table->rules[last - 1]));
    for (uint16_t index = last; index > 0; index = builder->previous[index]) {
        const struct rule *rule = &builder->table->rules[index - 1];
        if (rule->conditions[0].test == test_none) continue;
        place holds = emit_return(builder, SECCOMP_RET_ALLOW);
        for (size_t condition = MOST_CONDITIONS; condition-- > 0;) {
            if (rule->conditions[condition].test == test_none) continue;
            holds = emit_condition(builder, &rule->conditions[condition], holds, next);
        }
        next = holds;
    }
    return next;
}

// A binary search over the intervals: about seven comparisons for a call, and short to install.
static place emit_search(struct builder *builder, const struct interval *intervals, size_t count) {
    if (count == 1) return emit_rules(builder, intervals[0].number);
    size_t middle = count / 2;
    place above = emit_search(builder, intervals + middle, count - middle);
    place below = emit_search(builder, intervals, middle);
    return emit_jump(builder, BPF_JGE, intervals[middle].start, above, below);
}

// Whether the numbers of two intervals get the same answer without looking at arguments; such intervals are joined.
static bool alike(const struct builder *builder, const struct rule *one, const struct rule *other) {
    return one->conditions[0].test == test_none && other->conditions[0].test == test_none &&
           action_of(builder, one) == action_of(builder, other);
}

// The first rule of a number, NULL if there is none. A filter that is laid over another has rules only where that one was
// coarse.
static const struct rule *rule_of(const struct builder *builder, int32_t number) {
    static const struct rule forbidden = {.otherwise = action_forbid};
    if (number >= NUMBERS) return NULL;
    const struct numbered *numbered = &builder->numbers[number];
    const struct rule *found = numbered->first == 0 ? NULL : &builder->table->rules[numbered->first - 1];
    if ((builder->options & cforcefield_filter_after_ready) == 0) return found;
    return !numbered->is_coarse ? NULL : found != NULL ? found : &forbidden;
}

static size_t find_intervals(const struct builder *builder, struct interval *intervals) {
    intervals[0] = (struct interval){0, -1};
    size_t count = 1;
    const struct rule *before = NULL;
    for (int32_t number = 0; number <= NUMBERS; number++) {
        const struct rule *rule = rule_of(builder, number);
        if (rule == before) continue;
        if (rule == NULL || before == NULL || !alike(builder, rule, before)) {
            // The interval at 0 is rewritten rather than followed by an empty one.
            if (number > 0) count++;
            intervals[count - 1] = (struct interval){(uint32_t)number, rule == NULL ? -1 : number};
        }
        before = rule;
    }
    return count;
}

static size_t build(struct builder *builder) {
    if (builder->architecture != CFORCEFIELD_X86_64 && builder->architecture != CFORCEFIELD_AARCH64) return 0;
    if (!sort_rules(builder)) return 0;
    struct interval intervals[MOST_INTERVALS];
    size_t count = find_intervals(builder, intervals);
    place search = emit_search(builder, intervals, count);
    place dead = 0;
    if (builder->architecture == CFORCEFIELD_X86_64) {
        dead = emit_return(builder, SECCOMP_RET_KILL_PROCESS);
        search = emit_jump(builder, BPF_JGE, FIRST_X32, dead, search);
    }
    place number = emit_load(builder, offset_number);
    // Before the number: `int 0x80` on x86-64 numbers its calls differently.
    dead = emit_return(builder, SECCOMP_RET_KILL_PROCESS);
    emit_jump(builder, BPF_JEQ, builder->architecture, number, dead);
    emit_load(builder, offset_architecture);

    if (builder->length > builder->capacity) return 0;
    for (size_t index = 0; index < builder->length; index++) {
        builder->program[index] = builder->program[builder->capacity - builder->length + index];
    }
    return builder->length;
}

size_t cforcefield_filter_build(
    uint32_t architecture, uint32_t options, int32_t process, struct cforcefield_instruction *program, size_t capacity) {
    // The first of two filters has the listener; of two answers the kernel takes the stricter, and KILL_PROCESS is stricter.
    bool over = (options & cforcefield_filter_after_ready) != 0;
    bool notify = (options & cforcefield_filter_notify) != 0 && !over;
    uint32_t forbidden = notify ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_KILL_PROCESS;
    struct builder builder = {
        .table = &compute_rules,
        .architecture = architecture,
        .options = options,
        .process = (uint32_t)process,
        .forbidden = forbidden,
        .unknown = over ? SECCOMP_RET_ALLOW : forbidden,
        .program = program,
        .capacity = capacity,
    };
    return build(&builder);
}

size_t cforcefield_filter_build_warden(
    uint32_t architecture, int32_t group, struct cforcefield_instruction *program, size_t capacity) {
    struct builder builder = {
        .table = &warden_rules,
        .architecture = architecture,
        .process = (uint32_t)group,
        .forbidden = SECCOMP_RET_KILL_PROCESS,
        .unknown = SECCOMP_RET_KILL_PROCESS,
        .program = program,
        .capacity = capacity,
    };
    return build(&builder);
}

#endif
