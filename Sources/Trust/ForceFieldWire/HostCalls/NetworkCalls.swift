/// The call by which a worker asks its host for a connection. One connected stream socket rides on the answer.
///
/// Source: `forcefield` section 15.
public enum NetworkCalls {
    /// Asks for a connection to a place that the policy lists.
    public static let connect = Method<ConnectRequest, ConnectAnswer>("net.connect")
}

/// The place that a worker asks to be connected to.
public struct ConnectRequest: Codable, Hashable, Sendable {
    /// A name, or an address in numbers.
    package var host: String
    package var port: UInt16

    /// - Parameters:
    ///   - host: a name, or an address in numbers.
    ///   - port: of TCP.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// The place that the host has connected to.
public struct ConnectAnswer: Codable, Hashable, Sendable {
    /// The address that the host has connected to, in numbers.
    public var address: String

    package init(address: String) { self.address = address }
}
