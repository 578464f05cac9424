import Foundation
import MainKey
import SecretMemory

/// A value that Keymaker's `Locked<T>` holds: AES-256-CTR over a binary property list.
///
/// It has no check of integrity. A wrong key shows only in that no property list comes out, and a changed value may not
/// show at all: read it once, seal it with the new vault, and delete it.
///
/// Foundation, which reads the property list, leaves copies of what it read in freed memory. Migrate in a process that
/// ends soon.
///
/// Source: `mainkey` section 2.
public struct KeymakerLocked: Sendable {
    private let bytes: [UInt8]
    private let version: KeymakerVersion

    /// The most bytes of a locked value.
    public static let byteLimit = 1 << 20

    public init(bytes: [UInt8], version: KeymakerVersion = .current) {
        self.bytes = bytes
        self.version = version
    }

    /// The text of a `Locked<String>`, as UTF-8.
    ///
    /// - Parameter mainKey: 32 bytes.
    /// - Throws: as ``value(_:under:)``.
    public func string(under mainKey: SecretBytes) throws(MainKeyError) -> SecretBytes {
        var text = Array(try scalar(String.self, under: mainKey).utf8)
        return try SecretBytes.moving(&text)
    }

    /// The bytes of a `Locked<Data>`.
    ///
    /// - Parameter mainKey: 32 bytes.
    /// - Throws: as ``value(_:under:)``.
    public func data(under mainKey: SecretBytes) throws(MainKeyError) -> SecretBytes {
        var bytes = Array(try scalar(Data.self, under: mainKey))
        return try SecretBytes.moving(&bytes)
    }

    /// The value of a `Locked<T>` whose type is encoded as an array or a dictionary.
    ///
    /// - Parameter mainKey: 32 bytes.
    /// - Throws: ``MainKeyError/truncated(_:)`` if the vector is not whole; ``MainKeyError/authFailed(_:chunk:)`` if no
    ///   property list comes out: the key is another, or the version; ``MainKeyError/malformed(_:reason:)`` if the
    ///   property list holds something else, or the key has not 32 bytes; ``MainKeyError/limitExceeded(reason:)`` above
    ///   ``byteLimit``.
    public func value<T: Decodable>(_ type: T.Type, under mainKey: SecretBytes) throws(MainKeyError) -> T {
        try decoded(type, under: mainKey, as: .sealedValue)
    }

    /// A property list has no scalar at its top: Keymaker puts one into an array.
    private func scalar<T: Decodable>(_ type: T.Type, under mainKey: SecretBytes) throws(MainKeyError) -> T {
        let wrapped = try value([T].self, under: mainKey)
        guard wrapped.count == 1 else {
            throw .malformed(.sealedValue, reason: "there is one value in Keymaker's array, not \(wrapped.count)")
        }
        return wrapped[0]
    }

    func decoded<T: Decodable>(
        _ type: T.Type, under key: SecretBytes, as part: MainKeyError.Part
    ) throws(MainKeyError) -> T {
        guard bytes.count <= Self.byteLimit else {
            throw .limitExceeded(
                reason: "a value locked by Keymaker has at most \(Self.byteLimit) bytes, not \(bytes.count)")
        }
        let plaintext = try KeymakerCipher.open(bytes, version: version, key: key, as: part)
        return try plaintext.withUnsafeBytes { (plaintext) throws(MainKeyError) in
            try BinaryPropertyList.decode(type, from: plaintext, as: part)
        }
    }
}
