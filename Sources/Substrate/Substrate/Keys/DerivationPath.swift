/// The public part of a secret URI: junctions without phrase and password. Stored as text beside a key.
public struct DerivationPath: Hashable, Sendable {
    /// The steps, from the seed on.
    package let junctions: [Junction]

    /// The path of a seed's root.
    public static let root = DerivationPath(junctions: [])

    init(junctions: [Junction]) {
        self.junctions = junctions
    }

    /// Characters that a path may have.
    package static let lengthLimit = 1024

    /// Whether other software makes another key of it, see ``Junction/differsElsewhere``.
    package var differsElsewhere: Bool { junctions.contains(where: \.differsElsewhere) }

    /// - Parameter text: junctions like `//polkadot/0//1`, or nothing for the root.
    public init(parsing text: String) throws(SURIError) {
        guard text.unicodeScalars.count <= Self.lengthLimit else { throw .pathTooLong(limit: Self.lengthLimit) }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw text.hasPrefix("//") ? .invalidCharacterInHardPath : .invalidCharacterInSoftPath
        }
        var bytes = Array(text.utf8)[...]
        var junctions: [Junction] = []
        while !bytes.isEmpty {
            guard bytes.first == Self.slash else { throw .pathWithoutSlash }
            guard !bytes.starts(with: [Self.slash, Self.slash, Self.slash]) else { throw .passwordInPath }
            junctions.append(try Self.junction(from: &bytes))
        }
        self.junctions = junctions
    }

    static let slash = UInt8(ascii: "/")

    /// Takes one junction off the front, which is a slash and not three.
    static func junction(from bytes: inout ArraySlice<UInt8>) throws(SURIError) -> Junction {
        let kind: Junction.Kind = bytes.starts(with: [slash, slash]) ? .hard : .soft
        bytes = bytes.dropFirst(kind == .hard ? 2 : 1)
        let code = bytes.prefix { $0 != slash }
        guard !code.isEmpty, let text = String(validating: code, as: UTF8.self) else {
            throw kind == .hard ? .invalidCharacterInHardPath : .invalidCharacterInSoftPath
        }
        bytes = bytes.dropFirst(code.count)
        return Junction(kind: kind, code: text)
    }

    /// Bytes that ``chainCodes`` has for each step.
    package static let stepSize = 33

    /// What keys are derived by, step by step: 1 for hard or 0 for soft, and the chain code. Paths that agree in it
    /// give one key, however they are spelt: `//1`, `//01` and `//+1` do, and so do `//a` and `//24836`.
    package var chainCodes: [UInt8] { junctions.flatMap { [$0.kind == .hard ? 1 : 0] + $0.chainCode } }

    /// Whether a step is soft.
    package var hasSoftJunction: Bool { junctions.contains { $0.kind == .soft } }
}

extension DerivationPath: CustomStringConvertible {
    /// The text that parses to this path.
    public var description: String { junctions.map(\.description).joined() }
}
