// As much of HTTP and of WebSocket as a client needs that knows what it is going to be answered.
#include "load.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// The key of RFC 6455, section 1.3, whose answer is known.
const char plain_handshake[] =
    "GET /bench HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
const size_t plain_handshake_bytes = sizeof plain_handshake - 1;
static const char expected_accept[] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

// FIN and binary; masked, 64 bytes; a key of zeros, which leaves the payload as it is.
const uint8_t message[message_bytes] = {0x82, 0x80 | payload_bytes};

int take_answer(struct connection *connection) {
    uint8_t *end = memmem(connection->input, connection->input_count, "\r\n\r\n", 4);
    if (end == NULL) return connection->input_count == input_capacity ? -1 : 0;
    end[3] = 0;
    const char *head = (const char *)connection->input;
    int status = strncmp(head, "HTTP/1.1 ", 9) == 0 ? atoi(head + 9) : 0;
    if (status < 100 || (status == 101 && strstr(head, expected_accept) == NULL)) return -1;
    const char *length = status == 101 ? NULL : strcasestr(head, "\ncontent-length:");
    size_t whole = (size_t)(end + 4 - connection->input) + (length != NULL ? (size_t)atoi(length + 16) : 0);
    end[3] = '\n';
    if (whole > connection->input_count) return whole > input_capacity ? -1 : 0;
    connection_drop(connection, whole);
    return status;
}

int take_messages(struct connection *connection) {
    size_t offset = 0;
    int messages = 0;
    while (connection->input_count - offset >= 2) {
        const uint8_t *frame = connection->input + offset;
        size_t length = frame[1];
        // Nobody sends more than this program does.
        if (length > 125) return -1;
        if (connection->input_count - offset < 2 + length) break;
        offset += 2 + length;
        switch (frame[0] & 0x0f) {
        case 0x8: return -1;
        case 0x9: {
            static uint8_t pong[2 + 4 + 125];
            pong[0] = 0x8a;
            pong[1] = 0x80 | (uint8_t)length;
            memcpy(pong + 6, frame + 2, length);
            if (!connection_send(connection, pong, 6 + length) || connection->output_left > 0) return -1;
            break;
        }
        case 0xa: break;
        default: messages++;
        }
    }
    connection_drop(connection, offset);
    return messages;
}
