/// What the data of a symbol say.
struct SymbolContent: Equatable, Sendable {
    /// Byte segments as they are, digits and letters as ASCII, kanji as Shift JIS.
    var bytes: [UInt8] = []
    var extendedChannels: [Int] = []
    var structuredAppend: QRReading.StructuredAppend?
    var functionOne: QRReading.FunctionOne?

    /// Reads segments until the terminator or the end (`raptorq-qr` sections 13.1 and 14).
    ///
    /// - Parameter data: corrected data code words.
    init(_ data: [UInt8], _ version: QRVersion) throws(QRDecodingError) {
        var bits = BitReader(bytes: data)
        var segments = 0
        while bits.left >= 4 {
            let start = bits.position
            let mode = try bits.read(4)
            if mode == 0 { break }
            segments += 1
            switch mode {
            case QRMode.numeric.indicator: try numeric(&bits, version)
            case QRMode.alphanumeric.indicator: try alphanumeric(&bits, version)
            case QRMode.byte.indicator: try byte(&bits, version)
            case 8: try kanji(&bits, version)
            case 7: extendedChannels.append(try Self.designator(&bits))
            case 3:
                structuredAppend = QRReading.StructuredAppend(
                    index: try bits.read(4), count: try bits.read(4) + 1, parity: UInt8(try bits.read(8)))
            case 5: functionOne = .first
            case 9: functionOne = .second(application: UInt8(try bits.read(8)))
            default: throw .segment(.mode(mode), bit: start)
            }
        }
        guard segments > 0 else { throw .segment(.missing, bit: 0) }
    }

    private mutating func numeric(_ bits: inout BitReader, _ version: QRVersion) throws(QRDecodingError) {
        var count = try bits.read(QRMode.numeric.countBits(version))
        while count > 0 {
            let digits = min(count, 3)
            let start = bits.position
            let value = try bits.read(3 * digits + 1)
            guard value < [10, 100, 1000][digits - 1] else { throw .segment(.value(value), bit: start) }
            bytes += [value / 100, value / 10 % 10, value % 10].suffix(digits).map { UInt8(0x30 + $0) }
            count -= digits
        }
    }

    private mutating func alphanumeric(_ bits: inout BitReader, _ version: QRVersion) throws(QRDecodingError) {
        var count = try bits.read(QRMode.alphanumeric.countBits(version))
        var text: [UInt8] = []
        while count > 0 {
            let letters = min(count, 2)
            let start = bits.position
            let value = try bits.read(letters == 2 ? 11 : 6)
            guard value < (letters == 2 ? 45 * 45 : 45) else { throw .segment(.value(value), bit: start) }
            text += [value / 45, value % 45].suffix(letters).map { QRSegment.alphabet[$0] }
            count -= letters
        }
        bytes += functionOne == nil ? text : Self.separated(text)
    }

    private mutating func byte(_ bits: inout BitReader, _ version: QRVersion) throws(QRDecodingError) {
        let count = try bits.read(QRMode.byte.countBits(version))
        guard count * 8 <= bits.left else { throw .segment(.cut, bit: bits.position) }
        bytes.reserveCapacity(bytes.count + count)
        for _ in 0..<count { bytes.append(UInt8(try bits.read(8))) }
    }

    /// Two bytes of Shift JIS in 13 bits.
    private mutating func kanji(_ bits: inout BitReader, _ version: QRVersion) throws(QRDecodingError) {
        let count = try bits.read(version.number < 10 ? 8 : version.number < 27 ? 10 : 12)
        for _ in 0..<count {
            let value = try bits.read(13)
            let packed = (value / 0xc0) << 8 | value % 0xc0
            let code = packed + (packed < 0x1f00 ? 0x8140 : 0xc140)
            bytes += [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)]
        }
    }

    /// The number of a character set: one to three bytes, as the first bits say.
    private static func designator(_ bits: inout BitReader) throws(QRDecodingError) -> Int {
        let start = bits.position
        let first = try bits.read(8)
        if first < 0x80 { return first }
        if first < 0xc0 { return (first & 0x3f) << 8 | (try bits.read(8)) }
        guard first < 0xe0 else { throw .segment(.value(first), bit: start) }
        return (first & 0x1f) << 16 | (try bits.read(16))
    }

    /// With FNC1, `%` stands for the separator of groups (1d hex) and `%%` for itself.
    private static func separated(_ text: [UInt8]) -> [UInt8] {
        let percent = UInt8(ascii: "%")
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            let isDouble = text[index] == percent && index + 1 < text.count && text[index + 1] == percent
            output.append(text[index] == percent && !isDouble ? 0x1d : text[index])
            index += isDouble ? 2 : 1
        }
        return output
    }
}

/// Takes bits off bytes, most significant first.
struct BitReader: Sendable {
    private let bytes: [UInt8]
    /// Bits read.
    private(set) var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var left: Int { bytes.count * 8 - position }

    /// - Parameter count: at most 16.
    mutating func read(_ count: Int) throws(QRDecodingError) -> Int {
        guard count <= left else { throw .segment(.cut, bit: position) }
        let first = position / 8
        var window = 0
        for index in first..<first + 3 { window = window << 8 | (index < bytes.count ? Int(bytes[index]) : 0) }
        let value = window >> (24 - position % 8 - count) & (1 << count - 1)
        position += count
        return value
    }
}
