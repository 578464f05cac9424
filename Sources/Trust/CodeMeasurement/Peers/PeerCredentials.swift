/// A process and whose it is, as the kernel attaches it to a socket or a message.
public struct PeerCredentials: Hashable, Sendable, CustomStringConvertible {
    /// The number of the process.
    public let process: Int32
    /// The user whom it runs as.
    public let user: UInt32
    /// The group that it runs with.
    public let group: UInt32

    /// - Parameters: as the system tells them.
    public init(process: Int32, user: UInt32, group: UInt32) {
        self.process = process
        self.user = user
        self.group = group
    }

    /// All three in words, for the log.
    public var description: String { "process \(process) of user \(user) and group \(group)" }
}

/// The processes that may be at the other end.
///
/// Source: `vigil` section 4.1.
package struct PeerPolicy: Hashable, Sendable {
    /// The users who may be at the other end.
    package var allowedUsers: Set<UInt32>

    /// - Parameter allowedUsers: the users who may be at the other end.
    package init(allowedUsers: Set<UInt32>) {
        self.allowedUsers = allowedUsers
    }

    /// - Parameter ownProcess: the number of the process that checks.
    /// - Throws: ``Reason/peerIdentity``.
    package func check(_ peer: PeerCredentials, ownProcess: Int32) throws(MeasurementRefusal) {
        if peer.process <= 0 {
            throw MeasurementRefusal(.peerIdentity, "the peer is in a process namespace that cannot be seen from here")
        }
        if peer.process == ownProcess {
            throw MeasurementRefusal(.peerIdentity, "the peer is this process itself")
        }
        if !allowedUsers.contains(peer.user) {
            throw MeasurementRefusal(.peerIdentity, "user \(peer.user) is not among the users that may connect")
        }
    }
}

/// The process that sends over a connection. Every message names its sender; another one than before means that the
/// socket was inherited or handed on, while what the kernel wrote down at the beginning stays.
package struct ConstantSender: Sendable {
    /// The sender; nil until the first message where none is expected.
    package private(set) var credentials: PeerCredentials?

    /// - Parameter expected: who connected. Nil at the side that connects: there the kernel names who made the socket
    ///   listen, which under socket activation is the manager of services, so the first message decides.
    package init(expected: PeerCredentials?) {
        credentials = expected
    }

    /// - Parameter sender: of a message; nil if the kernel told none.
    /// - Throws: ``Reason/peerIdentity``.
    package mutating func check(_ sender: PeerCredentials?) throws(MeasurementRefusal) {
        guard let sender else {
            throw MeasurementRefusal(.peerIdentity, "a message came without the name of its sender")
        }
        if let credentials, sender != credentials {
            throw MeasurementRefusal(.peerIdentity, "a message came from \(sender), and before from \(credentials)")
        }
        credentials = sender
    }
}
