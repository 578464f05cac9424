/// The call by which a worker asks its host for a connection. One connected stream socket rides on the answer.
///
/// Source: `forcefield` section 15.
public enum NetworkCalls {
    public static let connect = Method<ConnectRequest, ConnectAnswer>("net.connect")
}

public struct ConnectRequest: Codable, Hashable, Sendable {
    /// A name, or an address in numbers.
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

public struct ConnectAnswer: Codable, Hashable, Sendable {
    /// The address that the host has connected to, in numbers.
    public var address: String

    public init(address: String) { self.address = address }
}
