// The other end of a connection, for tests: connects to the socket that its last argument names, then does what each line of its
// standard input says, and prints "done" after each. What it keeps when it runs another program is named by its environment.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int peer;

static void send_descriptors(const int *descriptors, size_t count) {
    static char space[CMSG_SPACE(253 * sizeof(int))];
    char byte = 'x';
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count) {
        message.msg_control = space;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    sendmsg(peer, &message, 0);
}

// One that was kept, or a new one of this program.
static int handle(const char *name) {
    char path[32];
    const char *kept = getenv(name);
    snprintf(path, sizeof path, "/proc/self/%s", name);
    return kept ? atoi(kept) : open(path, O_RDONLY);
}

static void keep(const char *name, int descriptor) {
    char number[16];
    snprintf(number, sizeof number, "%d", descriptor);
    setenv(name, number, 1);
}

static volatile int ends_with_parent;

static int wait_for_ever(void *context) {
    (void)context;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    ends_with_parent = 1;
    for (;;) pause();
}

// Lets a child have the memory of this program, which so outlives it, and runs another one that has the handles of this one.
static void become(const char *path) {
    static char stack[65536] __attribute__((aligned(16)));
    clone(wait_for_ever, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
    // A parent that is killed before that would leave it behind.
    while (!ends_with_parent) usleep(100);
    const char *names[] = {"exe", "maps", "pagemap"};
    for (int i = 0; i < 3; i++) keep(names[i], handle(names[i]));
    keep("peer", peer);
    execl(path, path, (char *)NULL);
}

static int sent_maps;

static void *read_and_shift(void *context) {
    // Below everything else, so that all lines behind it move.
    void *low = (void *)0x10000000;
    char text[64];
    for (;;) {
        mmap(low, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        pread(sent_maps, text, sizeof text, 0);
        munmap(low, 4096);
        pread(sent_maps, text, sizeof text, 0);
    }
    return context;
}

// Makes the memory map long, and reads it by the handle that was sent while it goes on changing.
static void churn(void) {
    char *pages = mmap(NULL, 400 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 400; i += 2) mprotect(pages + i * 4096, 4096, PROT_READ);
    pthread_t thread;
    pthread_create(&thread, NULL, read_and_shift, NULL);
}

// From now on prctl does nothing, and says that it did.
static void pretend(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void do_line(const char *line) {
    if (!strcmp(line, "handles")) {
        int handles[] = {handle("exe"), handle("maps"), handle("pagemap")};
        sent_maps = handles[1];
        send_descriptors(handles, 3);
    } else if (!strcmp(line, "hide")) {
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    } else if (!strcmp(line, "churn")) {
        churn();
    } else if (!strcmp(line, "nocore")) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
    } else if (!strcmp(line, "pretend")) {
        pretend();
    } else if (!strcmp(line, "flood")) {
        int handles[253];
        for (int i = 0; i < 253; i++) handles[i] = 0;
        send_descriptors(handles, 253);
    } else if (!strcmp(line, "byte")) {
        send_descriptors(NULL, 0);
    } else if (!strcmp(line, "child")) {
        if (fork() == 0) {
            send_descriptors(NULL, 0);
            _exit(0);
        }
        wait(NULL);
    } else if (!strcmp(line, "grow")) {
        mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    } else if (!strncmp(line, "become ", 7)) {
        become(line + 7);
    } else if (!strcmp(line, "exec")) {
        printf("done\n");
        fflush(stdout);
        execl("/bin/sleep", "sleep", "100", (char *)NULL);
    }
}

int main(int argc, char **argv) {
    if (argc > 2 && !strcmp(argv[1], "stale")) {
        keep("pagemap", open("/proc/self/pagemap", O_RDONLY));
        execl(argv[0], argv[0], argv[2], (char *)NULL);
    }
    if (getenv("peer")) {
        peer = atoi(getenv("peer"));
    } else if (argc > 1) {
        peer = socket(AF_UNIX, SOCK_STREAM, 0);
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
        if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) return 1;
    }
    char line[4096];
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        do_line(line);
        printf("done\n");
        fflush(stdout);
    }
}
