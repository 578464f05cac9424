/// A method as host and worker agree on it.
public struct MethodSignature: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case unary
        case stream
    }

    package let name: String
    /// Names of Swift types.
    package let request, reply: String
    package let kind: Kind
    package let id: MethodID

    package init(name: String, request: String, reply: String, kind: Kind) {
        self.name = name
        self.request = request
        self.reply = reply
        self.kind = kind
        id = MethodID(name: name)
    }

    /// The method as `qr.decode(DecodeRequest)->DecodeReply`.
    package var line: String { "\(name)(\(request))\(kind == .unary ? "->" : "->>")\(reply)" }
}

/// All methods of a worker program. Its hash guards against stale binaries, not against attackers.
///
/// Source: `forcefield` section 11.
public struct Interface: Hashable, Sendable {
    package let methods: [MethodSignature]

    /// - Throws: ``InterfaceError``
    public init(_ methods: [MethodSignature]) throws(InterfaceError) {
        for (index, method) in methods.enumerated() {
            guard method.name.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !method.name.isEmpty else {
                throw .badName(method.name)
            }
            if let other = methods[..<index].first(where: { $0.id == method.id }) {
                throw other.name == method.name ? .duplicate(method.name) : .collision(other.name, method.name)
            }
        }
        self.methods = methods
    }

    package subscript(id: MethodID) -> MethodSignature? { methods.first { $0.id == id } }

    /// The sorted lines of all methods, each with a newline behind it.
    package var text: String {
        var lines = methods.map(\.line)
        lines.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var text = ""
        for line in lines {
            text += line
            text += "\n"
        }
        return text
    }

    package var hash: UInt64 { FNV1a.hash64(text.utf8) }
}

/// Why methods are no interface.
public enum InterfaceError: Error, Hashable, Sendable, CustomStringConvertible {
    case duplicate(String)
    /// Two names with one hash.
    case collision(String, String)
    case badName(String)

    /// What is wrong with the methods, and what to do.
    public var description: String {
        switch self {
        case .duplicate(let name): "The method \(name) is declared twice. Remove one."
        case .collision(let first, let second):
            "The names \(first) and \(second) have the same hash. Rename one of the methods."
        case .badName(let name):
            "The method name “\(name)” is empty or has other characters than visible ASCII. Rename it."
        }
    }
}
