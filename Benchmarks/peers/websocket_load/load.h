// What the modes of the load generator share. One thread, one epoll, and no allocation once connections are open: it has to be far
// faster than what it measures.
#ifndef LOAD_H
#define LOAD_H

#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { most_processes = 4 };

struct options {
    struct sockaddr_in target;
    // TLS 1.3, without resumption and without a look at the certificate; NULL for plain text.
    SSL_CTX *tls;
    // Open at a time.
    int connections;
    // Connections are spread over as many addresses, 127.0.0.1 and so on, for each has but 28,000 ports.
    int sources;
    double seconds;
    // Messages a second, for all connections together; 0: as many as there are answers.
    double rate;
    // What to send in place of plain handshakes; NULL for none.
    const char *script;
    // Whose processor time is measured, all together; 0 for nobody.
    pid_t processes[most_processes];
};

// Each returns the exit status of the program.
int serve_echo(const struct options *options);
int load_handshakes(const struct options *options);
int load_echo(const struct options *options);
int hold_idle(const struct options *options);

// MARK: Connections

enum { input_capacity = 4096 };

enum phase {
    phase_none,
    phase_connecting,
    phase_securing,
    // Bytes come and go.
    phase_open,
};

struct connection {
    int socket;
    enum phase phase;
    SSL *tls;
    // What is to be sent, which somebody else owns.
    const uint8_t *output;
    size_t output_left;
    uint8_t input[input_capacity];
    size_t input_count;
    // Of the mode.
    bool is_upgraded;
    size_t job;
    int pending_head, pending_count;
    uint64_t *pending;
};

// Begins to connect, watched by `poll` with `connection` as its data. `number` chooses the source. Ends the program on failure.
void connection_open(struct connection *connection, const struct options *options, int poll, int number);
// Goes on with connecting and with TLS; returns false when the connection is lost.
bool connection_advance(struct connection *connection);
// Sends bytes, and keeps in mind those that the system does not take yet; returns false when the connection is lost.
bool connection_send(struct connection *connection, const void *bytes, size_t count);
bool connection_flush(struct connection *connection);
// Reads once; returns how many bytes are new, 0 if there are none now, -1 when the connection is lost.
ssize_t connection_read(struct connection *connection);
// Drops bytes from the front of the input.
void connection_drop(struct connection *connection, size_t count);
// Cuts it: with a reset, so that no port waits for late packets.
void connection_cut(struct connection *connection);

// MARK: WebSocket

// A client's handshake without further fields.
extern const char plain_handshake[];
extern const size_t plain_handshake_bytes;
// Of an answer at the front of the input: its status once it is there whole, with its body; 0 before; -1 if it is none.
int take_answer(struct connection *connection);

enum { payload_bytes = 64, message_bytes = 2 + 4 + payload_bytes };
// A masked binary message, as clients send it.
extern const uint8_t message[message_bytes];
// Takes frames of a server off the input and answers pings; returns how many data messages were among them, -1 if lost.
int take_messages(struct connection *connection);

// MARK: Figures

uint64_t now_nanoseconds(void);
// Processor time that the processes and all of their threads have used.
double processor_seconds(const pid_t processes[most_processes]);
_Noreturn void fail(const char *what);

#endif
