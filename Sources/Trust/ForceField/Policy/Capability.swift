import ForceFieldWire

/// What a worker may do beyond computing. Nothing is granted unless a policy names it.
///
/// Source: `forcefield` section 15.
public enum Capability: Hashable, Sendable {
    /// `/dev/urandom`, which Foundation's `UUID()` needs.
    case entropyDevice
    /// One file of the host, readable at an absolute path inside.
    case readOnlyFile(host: String, at: String)
    /// Descriptors with requests and answers, so many at a time.
    case descriptors(max: Int)
    /// Connections that the host makes, to these places only.
    case networkClient([Endpoint])
    /// A picture to draw on, in pixels.
    case surface(width: Int, height: Int)
    /// Calls into the host, by name.
    case hostCalls([String])

    /// A place that the host connects to for workers.
    public struct Endpoint: Hashable, Sendable {
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

    /// The name in reports.
    package var name: String {
        switch self {
        case .entropyDevice: "entropyDevice"
        case .readOnlyFile(_, let inside): "readOnlyFile(\(inside))"
        case .descriptors(let most): "descriptors(\(most))"
        case .networkClient(let endpoints):
            "networkClient(\(endpoints.map { "\($0.host):\($0.port)" }.joined(separator: ",")))"
        case .surface(let width, let height): "surface(\(width)x\(height))"
        case .hostCalls(let names): "hostCalls(\(names.joined(separator: ",")))"
        }
    }

    /// Names of the host calls that it grants.
    var grantedCalls: [String] {
        switch self {
        case .networkClient: ["net.connect"]
        case .surface: ["surface.open", "surface.present"]
        case .hostCalls(let names): names
        case .entropyDevice, .readOnlyFile, .descriptors: []
        }
    }

    func validate() throws(PolicyError) {
        switch self {
        case .entropyDevice: return
        case .readOnlyFile(let host, let inside):
            guard host.hasPrefix("/"), Self.isPlainPath(inside) else { throw .capability(name) }
        case .descriptors(let most):
            guard (1...16).contains(most) else { throw .capability(name) }
        case .networkClient(let endpoints):
            guard !endpoints.isEmpty, endpoints.allSatisfy({ !$0.host.isEmpty && $0.port > 0 }) else {
                throw .capability(name)
            }
        case .surface(let width, let height):
            guard (1...8_192).contains(width), (1...8_192).contains(height) else { throw .capability(name) }
        case .hostCalls(let names):
            guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty }) else { throw .capability(name) }
        }
    }

    /// Whether a path is absolute, without empty parts, `.` or `..`.
    private static func isPlainPath(_ path: String) -> Bool {
        let slash = UInt8(ascii: "/")
        guard path.utf8.first == slash, path.utf8.count < 256 else { return false }
        return path.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
    }
}

extension [Capability] {
    /// The ids of all host calls that are granted.
    package var grantedIDs: Set<MethodID> { Set(flatMap(\.grantedCalls).map { MethodID(name: $0) }) }
}
