import HardwareKeys
import SecretMemory

/// Counts the writings of a store where no copy of a file reaches, so that an older file is found out.
public protocol GenerationCounter: Sendable {
    /// How often a store was written.
    func value() throws(HardwareKeyError) -> UInt64

    /// Counts one more.
    func increment() throws(HardwareKeyError)
}

/// A counter in a TPM. What incrementing it takes lies beside the store: whoever reads it can make the store fail, and nothing
/// else.
///
/// Source: `vigil` section 6.2.
public struct TPMGenerationCounter: GenerationCounter {
    private static let fileName = "attestation.counter"
    private static let authCount = 32

    private let tpm: TPM
    private let index: UInt32
    /// The counter's value when the store was not yet written: a TPM goes on where a deleted counter has ended.
    private let start: UInt64
    private let auth: SecretBytes

    private init(_ tpm: TPM, index: UInt32, start: UInt64, auth: SecretBytes) {
        self.tpm = tpm
        self.index = index
        self.start = start
        self.auth = auth
    }

    /// Opens the counter of a store, or defines it if there is neither a counter nor a store.
    ///
    /// - Throws: ``HardwareKeyError``: `storageRefused` if there is a store without its counter.
    public static func open(in directory: StateDirectory, tpm: TPM) throws(HardwareKeyError) -> TPMGenerationCounter {
        let path = "\(directory.path)/\(fileName)"
        if let file = try directory.read(fileName) {
            guard file.count == 12 + authCount else {
                throw .storageRefused(path: path, reason: "it has \(file.count) bytes")
            }
            let (index, start) = file.withUnsafeBytes {
                ($0[..<4].reduce(0) { $0 << 8 | UInt32($1) }, $0[4..<12].reduce(0) { $0 << 8 | UInt64($1) })
            }
            let auth = try guarded { () throws(SecretMemoryError) in try file.part(12..<file.count) }
            return TPMGenerationCounter(tpm, index: index, start: start, auth: auth)
        }
        guard try directory.read(AttestationStore.fileName) == nil else {
            throw .storageRefused(path: path, reason: "it is missing, and there is a store that it belongs to")
        }
        let auth = try guarded { () throws(SecretMemoryError) in try SecretBytes.drawn(count: authCount) }
        let (index, start) = try tpm.defineCounter(auth: auth)
        let counter = TPMGenerationCounter(tpm, index: index, start: start, auth: auth)
        try directory.write(fileName, counter.content())
        return counter
    }

    /// Index (4) ‖ first value (8) ‖ authorisation (32).
    private func content() throws(HardwareKeyError) -> SecretBytes {
        var head: [UInt8] = []
        head.append(bigEndian: index)
        head.append(bigEndian: start)
        return try Self.guarded { () throws(SecretMemoryError) in
            try SecretBytes(count: head.count + auth.count) { buffer in
                buffer.copyBytes(from: head)
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...])
                auth.withUnsafeBytes { rest.copyMemory(from: $0) }
            }
        }
    }

    public func value() throws(HardwareKeyError) -> UInt64 {
        let value = try tpm.readCounter(index)
        guard value >= start else { throw .dead(index: index) }
        return value - start
    }

    public func increment() throws(HardwareKeyError) { _ = try tpm.incrementCounter(index, auth: auth) }

    private static func guarded<R>(_ body: () throws(SecretMemoryError) -> R) throws(HardwareKeyError) -> R {
        do throws(SecretMemoryError) { return try body() } catch { throw .noSecretMemory(reason: "\(error)") }
    }
}
