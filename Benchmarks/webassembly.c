// What an interpreter of WebAssembly is measured by: arithmetic in registers, calls, memory, and numbers of 64 bits.
// clang --target=wasm32 -mcpu=mvp -O2 -nostdlib -fno-builtin -Wl,--no-entry -o webassembly.wasm webassembly.c
typedef unsigned int u32;
typedef unsigned long long u64;
#define EXPORT(name) __attribute__((export_name(#name)))

static u32 memory[1 << 18];

static u32 rotated(u32 value, int count) { return value >> count | value << (32 - count); }

/// Blocks mixed as SHA-256 does it, with constants of its own.
__attribute__((noinline)) static void mix(u32 *state, const u32 *block) {
    u32 words[64], s[8];
    for (int i = 0; i < 16; i++) words[i] = block[i];
    for (int i = 16; i < 64; i++) {
        u32 a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + words[i - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
    for (int i = 0; i < 8; i++) s[i] = state[i];
    for (int i = 0; i < 64; i++) {
        u32 one = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + words[i] + i;
        u32 two = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--) s[k] = s[k - 1];
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

EXPORT(hash) u32 hash(u32 count) {
    u32 state[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (u32 i = 0; i < count; i++) mix(state, memory + i * 16 % 65536);
    return state[0];
}

EXPORT(fibonacci) u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

EXPORT(sort) u32 sort(u32 count) {
    u32 seed = 1, sum = 0;
    for (u32 i = 0; i < count; i++) memory[i] = (seed = seed * 1664525 + 1013904223) >> 8;
    for (u32 gap = count / 2; gap; gap /= 2)
        for (u32 i = gap; i < count; i++) {
            u32 value = memory[i], j = i;
            for (; j >= gap && memory[j - gap] > value; j -= gap) memory[j] = memory[j - gap];
            memory[j] = value;
        }
    for (u32 i = 0; i < count; i++) sum = sum * 31 + memory[i];
    return sum;
}

EXPORT(collatz) u32 collatz(u32 count) {
    u32 longest = 0;
    for (u32 i = 1; i < count; i++) {
        u32 steps = 0;
        for (u64 n = i; n != 1; steps++) n = n & 1 ? 3 * n + 1 : n / 2;
        if (steps > longest) longest = steps;
    }
    return longest;
}
