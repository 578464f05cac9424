import BasicFoundation
import SecretMemory

/// What equal values of a sealed column are found by: a code of the value under a key of its own
/// (`mainkey` section 9). It shows which rows are equal, and how often, and nothing else.
enum BlindIndexCode {
    static let byteCounts = 4...32

    /// - Parameter count: 4 to 32 bytes; fewer leak less and find more rows that are not equal.
    static func code(
        _ value: some SealableValue, table: String, column: String, epoch: UInt32, count: Int, keys: EpochKeys
    ) throws(MainKeyError) -> [UInt8] {
        let result = try value.withSealableForm { form, payload in
            Result { () throws(MainKeyError) in
                try code(form, payload, table: table, column: column, epoch: epoch, count: count, keys: keys)
            }
        }
        return try result.get()
    }

    /// The same for a value's form.
    static func code(
        _ form: SealableForm, _ payload: UnsafeRawBufferPointer, table: String, column: String, epoch: UInt32,
        count: Int, keys: EpochKeys
    ) throws(MainKeyError) -> [UInt8] {
        guard byteCounts.contains(count) else {
            throw .configError(reason: "a blind index has 4 to 32 bytes, not \(count)")
        }
        let key = try keys.preparedIndexKey(table: table, column: column, epoch: epoch)
        return withUnsafeTemporaryAllocation(byteCount: HMACSHA256.byteCount, alignment: 1) { code in
            key.write(into: code) { update in
                withUnsafeBytes(of: form.rawValue, update)
                update(payload)
            }
            return Array(code.prefix(count))
        }
    }
}
