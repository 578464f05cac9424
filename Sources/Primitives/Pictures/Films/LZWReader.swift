/// The compression of GIF (GIF89a specification, appendix F).
enum LZWReader {
    /// - Parameters:
    ///   - ranges: where the codes lie in `bytes`.
    ///   - codeSize: bits of a colour, 2 to 8.
    ///   - count: how many pixels are wanted; what follows them is not read.
    /// - Returns: fewer where the codes end or one names nothing.
    static func decode(_ bytes: [UInt8], _ ranges: [Range<Int>], codeSize: Int, count: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(min(count, 1 << 20))
        let clear = 1 << codeSize
        var table = Table(colours: clear)
        var (bits, bitCount, width) = (0, 0, codeSize + 1)
        var previous: Int?
        for byte in ranges.lazy.joined().lazy.map({ bytes[$0] }) {
            bits |= Int(byte) << bitCount
            bitCount += 8
            while bitCount >= width {
                let code = bits & ((1 << width) - 1)
                bits >>= width
                bitCount -= width
                if code == clear {
                    table = Table(colours: clear)
                    (width, previous) = (codeSize + 1, nil)
                    continue
                }
                guard code != clear + 1, output.count < count, table.add(code, after: previous, to: &output) else {
                    return output.count > count ? Array(output[..<count]) : output
                }
                previous = code
                if table.count == 1 << width, width < 12 { width += 1 }
            }
        }
        return output.count > count ? Array(output[..<count]) : output
    }

    /// What codes stand for: each a code before it and one more colour.
    private struct Table {
        private var prefixes: [UInt16]
        private var colours: [UInt8]
        private var lengths: [UInt16]

        var count: Int { colours.count }

        init(colours clear: Int) {
            // Two codes have a meaning of their own.
            prefixes = [UInt16](repeating: 0, count: clear + 2)
            colours = (0..<clear + 2).map { UInt8(truncatingIfNeeded: $0) }
            lengths = [UInt16](repeating: 1, count: clear + 2)
        }

        /// Writes what a code stands for, and notes what the code before it becomes with one colour of it.
        ///
        /// - Returns: false for a code that does not exist yet.
        mutating func add(_ code: Int, after previous: Int?, to output: inout [UInt8]) -> Bool {
            guard let previous else {
                guard code < count else { return false }
                output.append(colours[code])
                return true
            }
            guard code <= count, code < 4096 else { return false }
            let isNew = code == count
            let known = isNew ? previous : code
            let start = output.count
            let length = Int(lengths[known])
            output.append(contentsOf: repeatElement(0, count: length))
            var walk = known
            for index in stride(from: start + length - 1, through: start, by: -1) {
                output[index] = colours[walk]
                walk = Int(prefixes[walk])
            }
            if isNew { output.append(output[start]) }
            if count < 4096 {
                prefixes.append(UInt16(previous))
                colours.append(output[start])
                lengths.append(lengths[previous] &+ 1)
            }
            return true
        }
    }
}
