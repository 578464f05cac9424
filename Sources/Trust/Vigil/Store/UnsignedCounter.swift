import HardwareKeys
import SecretMemory

/// The counter's file of releases that kept it beside the store, unsigned. It is believed once, when a person moves the
/// store over by hand.
struct UnsignedCounter {
    static let fileName = "attestation.counter"
    let counter: StoreCounter

    /// Index (4) ‖ first value (8) ‖ authorisation (32).
    private static let size = 44

    /// - Returns: nil where there is none.
    init?(in directory: StateDirectory) throws(HardwareKeyError) {
        guard let file = try directory.read(Self.fileName) else { return nil }
        guard file.count == Self.size, let counter = file.withUnsafeBytes(Self.parse) else {
            throw .storageRefused(path: "\(directory.path)/\(Self.fileName)", reason: "it has \(file.count) bytes")
        }
        self.counter = counter
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer) -> StoreCounter? {
        guard let authorisation = Bytes32(bytes[12...]) else { return nil }
        return StoreCounter(
            index: bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) },
            start: bytes[4..<12].reduce(0) { $0 << 8 | UInt64($1) }, authorisation: authorisation, storageKey: nil)
    }
}

extension AttestationStore {
    /// What moving a store over came to.
    package enum Migration: Hashable, Sendable {
        /// The store's key lies in no TPM, so that nothing counts.
        case nothingCounts
        /// The store names its counter itself already.
        case isDone
        /// The store was moved over.
        case done
    }

    /// Takes the counter of an earlier release, which lies beside the store, into what is signed.
    ///
    /// What lies beside the store is believed here, and nowhere else: a user who could write to the folder before can
    /// have put an older store there. So only a person does this, who looks at the pins afterwards.
    ///
    /// - Throws: ``StoreError``: `storageCorrupted` where the counter does not belong to the store, or there is none.
    package func migrate() throws(StoreError) -> Migration {
        guard let counters else { return .nothingCounts }
        return try exclusively { () throws(StoreError) in
            var stored = try read()
            guard stored.counter == nil else { return .isDone }
            let beside: UnsignedCounter?
            do throws(HardwareKeyError) { beside = try UnsignedCounter(in: directory) } catch {
                throw StoreError(error)
            }
            guard let beside else { throw corrupted("it names no counter, and there is none beside it") }
            stored.counter = beside.counter
            try check(stored, by: counters)
            try write(stored)
            do throws(HardwareKeyError) { try directory.remove(UnsignedCounter.fileName) } catch {
                throw StoreError(error)
            }
            return .done
        }
    }
}
