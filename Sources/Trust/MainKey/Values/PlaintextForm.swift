import SecretMemory
import TextForms

/// How a value lies inside a sealed one: a tag byte, the payload, and padding if the tag says so (`mainkey` section 8).
package enum PlaintextForm {
    static let paddedFlag: UInt8 = 0x80
    /// The numbers that a plaintext may be padded to a multiple of, its tag included.
    static let paddings: Set<Int> = [leastPadding, 32, 64, 128, 256]
    /// The padding that all others are multiples of.
    private static let leastPadding = 16

    /// Bytes of a plaintext with its tag and padding.
    ///
    /// - Parameter padding: 0 for none.
    package static func byteCount(payload: Int, padding: Int) throws(MainKeyError) -> Int {
        guard padding != 0 else { return payload + 1 }
        guard paddings.contains(padding) else {
            throw .configError(reason: "values are padded to 16, 32, 64, 128 or 256 bytes, not to \(padding)")
        }
        // One byte marks the end of the payload.
        return (payload + 2 + padding - 1) / padding * padding
    }

    /// Writes tag, payload and padding.
    package static func write(
        _ form: SealableForm, _ payload: UnsafeRawBufferPointer, padded: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) {
        output[0] = form.rawValue | (padded ? paddedFlag : 0)
        UnsafeMutableRawBufferPointer(rebasing: output[1...]).copyMemory(from: payload)
        guard padded else { return }
        let end = 1 + payload.count
        output[end] = 0x80
        for index in (end + 1)..<output.count { output[index] = 0 }
    }

    /// Takes tag and padding off.
    static func read(
        _ plaintext: UnsafeRawBufferPointer
    ) throws(MainKeyError) -> (form: SealableForm, payload: UnsafeRawBufferPointer) {
        guard let first = plaintext.first, let form = SealableForm(rawValue: first & ~paddedFlag) else {
            throw malformed("it has an unknown tag")
        }
        var payload = plaintext[1...]
        if first & paddedFlag != 0 {
            guard plaintext.count % leastPadding == 0, let end = payload.lastIndex(where: { $0 != 0 }),
                payload[end] == 0x80
            else {
                throw malformed("its padding is none")
            }
            payload = payload[..<end]
        }
        try check(form, payload)
        return (form, UnsafeRawBufferPointer(rebasing: payload))
    }

    private static func check(_ form: SealableForm, _ payload: Slice<UnsafeRawBufferPointer>) throws(MainKeyError) {
        switch form {
        case .text, .json:
            guard UTF8Check.isValid(UnsafeRawBufferPointer(rebasing: payload)) else {
                throw malformed("its text is not UTF-8")
            }
        case .bytes: break
        case .int, .double, .date:
            guard payload.count == 8 else { throw malformed("a number has \(payload.count) bytes") }
        case .bool:
            guard payload.count == 1, let byte = payload.first, byte <= 1 else {
                throw malformed("a truth value is neither 0 nor 1")
            }
        }
    }

    static func malformed(_ reason: String) -> MainKeyError { .malformed(.sealedValue, reason: reason) }
}
