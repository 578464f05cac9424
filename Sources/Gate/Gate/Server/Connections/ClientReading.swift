internal import NIOCore

/// Whether a client is heard, for which its connection has to be read.
///
/// Source: `appattest-gate` section 4.1, "Heartbeat".
enum ClientReading: Equatable {
    /// It has been read without a pause since then.
    case since(NIODeadline)
    /// The gate lets it wait for a moment: too many messages came.
    case paused
    /// The upstream does not take what the client has sent already.
    case heldUp
}

/// Which end a silence is put down to.
enum SilentEnd {
    case client, upstream
}
