// Load for WebSocket proxies, and the service behind them.
//
// usage: websocket_load MODE PORT [--tls] [--connections N] [--sources N] [--seconds S] [--rate N] [--script FILE] [--process ID]...
//   echo        the service; with port 0 the system chooses one, which is printed
//   handshakes  opens and cuts connections for so many seconds, or as a script says
//   messages    64 bytes and their echo on open connections, as often as they come back, or N times a second
//   idle        opens connections and holds them until its input ends
// Everything is on 127.0.0.1. Prints a line of JSON; with --process also the processor time that the proxy took meanwhile.
#include "load.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

void fail(const char *what) {
    perror(what);
    exit(1);
}

uint64_t now_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static double processor_seconds_of(pid_t process) {
    if (process == 0) return 0;
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) fail(path);
    fclose(file);
    // Behind the name, which may have anything in it: fields 14 and 15 of proc(5).
    unsigned long user = 0, system = 0;
    sscanf(strrchr(line, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

double processor_seconds(const pid_t processes[most_processes]) {
    double sum = 0;
    for (int index = 0; index < most_processes; index++) sum += processor_seconds_of(processes[index]);
    return sum;
}

static SSL_CTX *make_tls(void) {
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    if (tls == NULL || SSL_CTX_set_min_proto_version(tls, TLS1_3_VERSION) != 1) fail("TLS");
    SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_verify(tls, SSL_VERIFY_NONE, NULL);
    // One call of the system for what is there, in place of two for each record.
    SSL_CTX_set_read_ahead(tls, 1);
    SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS);
    return tls;
}

int main(int count, char **arguments) {
    static const struct option names[] = {
        {"tls", no_argument, NULL, 't'},           {"connections", required_argument, NULL, 'c'},
        {"sources", required_argument, NULL, 'o'}, {"seconds", required_argument, NULL, 's'},
        {"rate", required_argument, NULL, 'r'},    {"script", required_argument, NULL, 'f'},
        {"process", required_argument, NULL, 'p'}, {0},
    };
    // Whoever measures may be interrupted.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct options options = {.connections = 1, .sources = 1, .seconds = 1};
    int processes = 0;
    options.target = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (int name; (name = getopt_long(count, arguments, "", names, NULL)) != -1;) {
        switch (name) {
        case 't': options.tls = make_tls(); break;
        case 'c': options.connections = atoi(optarg); break;
        case 'o': options.sources = atoi(optarg); break;
        case 's': options.seconds = atof(optarg); break;
        case 'r': options.rate = atof(optarg); break;
        case 'f': options.script = optarg; break;
        case 'p':
            if (processes == most_processes) return 64;
            options.processes[processes++] = atoi(optarg);
            break;
        default: return 64;
        }
    }
    if (count - optind != 2 || options.connections < 1 || options.sources < 1) {
        fprintf(stderr, "usage: websocket_load echo|handshakes|messages|idle PORT [options]\n");
        return 64;
    }
    options.target.sin_port = htons((uint16_t)atoi(arguments[optind + 1]));
    const char *mode = arguments[optind];
    if (strcmp(mode, "echo") == 0) return serve_echo(&options);
    if (strcmp(mode, "handshakes") == 0) return load_handshakes(&options);
    if (strcmp(mode, "messages") == 0) return load_echo(&options);
    if (strcmp(mode, "idle") == 0) return hold_idle(&options);
    return 64;
}
