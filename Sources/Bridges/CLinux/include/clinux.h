// What Swift cannot import from the C library: variadic calls and macros. Each function says what it does and returns 0, or
// -1 with errno set. On systems other than Linux the parts that do not exist there are left out.
//
// Each file beside this one holds one more such thing, from cameras to libraries that are opened late.
#pragma once

// Closes the ways by which memory of this process reaches a file or another process: no core dump (limit 0), no tracing
// (Linux: not dumpable, which refuses those who may not trace everything; macOS: PT_DENY_ATTACH, which ends a process that is
// traced already), and the default action for the signals of a crash, since Swift's crash handler prints registers and
// memory. Call it first thing in a program that holds keys.
int clinux_harden_process(void);

// 1 if clinux_harden_process is in force in this process, else 0. Whether macOS lets nobody trace it cannot be asked.
int clinux_is_hardened(void);

// The size of the terminal behind the descriptor, in character cells.
int clinux_terminal_size(int descriptor, unsigned short *columns, unsigned short *rows);

// Switches echo, line editing and signal keys of a terminal off; clinux_terminal_show brings back what was. Between the two a
// signal that ends the process (HUP, INT, QUIT, TERM) brings it back first, then does what it did before; TSTP does nothing. One
// terminal at a time in a process: EBUSY otherwise.
int clinux_terminal_hide(int descriptor);
int clinux_terminal_show(void);

// Switches to a terminal's other screen; clinux_terminal_uncover erases it and switches back. Signals as above. secrets: what the
// terminal keeps of lines that went out at its top is erased with it.
int clinux_terminal_cover(int descriptor, int secrets);
void clinux_terminal_uncover(void);

// 1 if a signal has brought the terminal back while it was hidden or covered, and the process is about to end: nothing is to be
// written to it any more.
int clinux_terminal_is_given_up(void);

// Writes what the C library still holds of standard output. Fails also if something of it was lost before.
int clinux_finish_output(void);
