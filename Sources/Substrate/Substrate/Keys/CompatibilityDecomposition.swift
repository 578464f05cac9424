import SecretMemory

/// Unicode's compatibility decomposition, NFKD, of a secret.
///
/// A secret must not become a string, and is decomposed in locked memory, character by character. Then marks are put
/// in order.
///
/// Source: Unicode section 3.11
package enum CompatibilityDecomposition {
    /// Decomposes a text that is no secret. Marks stay as they follow one another, which makes no other characters of
    /// them.
    package static func of(_ text: String) -> String {
        var parts = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            DecompositionTable.shared.forEachPart(of: scalar) { parts.append(Unicode.Scalar($0) ?? "\u{fffd}") }
        }
        return String(parts)
    }

    /// - Parameter text: UTF-8.
    /// - Returns: UTF-8; nil if `text` is not.
    static func normalise(_ text: SecretBytes) throws(SecretMemoryError) -> SecretBytes? {
        guard text.withUnsafeBytes({ $0.contains { $0 >= 0x80 } }) else { return text }
        let table = DecompositionTable.shared
        var count = 0
        guard forEachScalar(of: text, { table.forEachPart(of: $0) { _ in count += 1 } }) else { return nil }
        let scalars = try SecretBytes(count: count * MemoryLayout<UInt32>.size) { memory in
            let scalars = memory.bindMemory(to: UInt32.self)
            var position = 0
            _ = forEachScalar(of: text) { scalar in
                table.forEachPart(of: scalar) { part in
                    scalars[position] = part
                    position += 1
                }
            }
            order(scalars)
        }
        return try encode(scalars)
    }

    /// - Returns: false if the bytes are not UTF-8.
    private static func forEachScalar(of text: SecretBytes, _ body: (Unicode.Scalar) -> Void) -> Bool {
        text.withUnsafeBytes { bytes in
            var decoder = UTF8()
            var iterator = bytes.makeIterator()
            while true {
                switch decoder.decode(&iterator) {
                case .scalarValue(let scalar): body(scalar)
                case .emptyInput: return true
                case .error: return false
                }
            }
        }
    }

    /// Sorts each run of combining marks by class, equal ones in the order they have (Unicode section 3.11, D109).
    private static func order(_ scalars: UnsafeMutableBufferPointer<UInt32>) {
        for index in scalars.indices {
            let mark = scalars[index]
            let markClass = combiningClass(mark)
            guard markClass > 0 else { continue }
            var position = index
            while position > 0, combiningClass(scalars[position - 1]) > markClass {
                scalars[position] = scalars[position - 1]
                position -= 1
            }
            scalars[position] = mark
        }
    }

    private static func combiningClass(_ scalar: UInt32) -> UInt8 {
        Unicode.Scalar(scalar)?.properties.canonicalCombiningClass.rawValue ?? 0
    }

    private static func encode(_ scalars: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        var count = 0
        forEachByte(of: scalars) { _ in count += 1 }
        return try SecretBytes(count: count) { output in
            var position = 0
            forEachByte(of: scalars) { byte in
                output[position] = byte
                position += 1
            }
        }
    }

    private static func forEachByte(of scalars: SecretBytes, _ body: (UInt8) -> Void) {
        scalars.withUnsafeBytes { memory in
            for scalar in memory.bindMemory(to: UInt32.self) {
                guard let bytes = Unicode.Scalar(scalar).flatMap(UTF8.encode) else { continue }
                bytes.forEach(body)
            }
        }
    }
}
