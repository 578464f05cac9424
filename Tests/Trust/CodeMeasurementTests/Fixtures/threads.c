// A program with two threads, for tests: at the first line of its standard input a child of its own attaches to the second.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t second;

static void *wait_for_ever(void *context) {
    second = (pid_t)syscall(SYS_gettid);
    for (;;) pause();
    return context;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    while (!second) usleep(100);
    printf("ready\n");
    fflush(stdout);
    char line[16];
    if (!fgets(line, sizeof line, stdin)) return 1;
    prctl(PR_SET_PTRACER, -1, 0, 0, 0);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0);
        const char *answer = ptrace(PTRACE_SEIZE, second, 0, 0) == 0 ? "traced\n" : "refused\n";
        fputs(answer, stdout);
        fflush(stdout);
        for (;;) pause();
    }
    for (;;) pause();
}
