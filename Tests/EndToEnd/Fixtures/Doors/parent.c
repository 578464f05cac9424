// Starts a program and tries to get into it, as whoever starts it may try: /proc/PID/mem for writing, process_vm_writev, ptrace. From the
// moment when it runs the other program until it has looked for so many milliseconds.
//
// usage: parent MILLISECONDS PROGRAM ARGUMENT...; the program reads from a pipe as descriptor 3, into which nobody writes.
// Prints how often each way was open.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    int secret[2];
    if (pipe(secret) != 0) return 74;
    pid_t child = fork();
    if (child < 0) return 74;
    if (child == 0) {
        dup2(secret[0], 3);
        close(secret[1]);
        execv(arguments[2], arguments + 2);
        _exit(74);
    }
    char name[64], path[64], expected[64] = {0};
    const char *base = strrchr(arguments[2], '/');
    snprintf(expected, 16, "%s", base ? base + 1 : arguments[2]);
    snprintf(path, sizeof path, "/proc/%d/comm", child);
    snprintf(name, sizeof name, "/proc/%d/mem", child);
    long end = now() + 10000, memory = 0, written = 0, traced = 0, tries = 0, is_running = 0;
    while (now() < end) {
        if (!is_running) {
            char comm[64] = {0};
            int file = open(path, O_RDONLY);
            if (file < 0) break;
            (void)!read(file, comm, sizeof comm - 1);
            close(file);
            comm[strcspn(comm, "\n")] = 0;
            if (strcmp(comm, expected) != 0) continue;
            is_running = 1;
            end = now() + atol(arguments[1]);
        }
        tries++;
        int file = open(name, O_RDWR);
        if (file >= 0) {
            // Of the memory that it has now, which is the other program's.
            memory++;
            close(file);
        }
        char byte = 0;
        struct iovec own = {&byte, 1}, other = {(void *)0x1000, 1};
        // An address that is not there is another failure than being refused.
        if (process_vm_writev(child, &own, 1, &other, 1, 0) >= 0 || errno == EFAULT) written++;
        if (ptrace(PTRACE_SEIZE, child, 0, 0) == 0) {
            traced++;
            break;
        }
    }
    printf("tries %ld mem %ld vm %ld ptrace %ld\n", tries, memory, written, traced);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return tries > 0 ? 0 : 70;
}
