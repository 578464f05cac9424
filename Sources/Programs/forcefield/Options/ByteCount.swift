import ArgumentParser

/// A number of bytes, as `1048576`, `1M`, `2G` or `64K`.
struct ByteCount: ExpressibleByArgument, Hashable {
    let bytes: Int

    init(bytes: Int) { self.bytes = bytes }

    init?(argument: String) {
        let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
        let shift = argument.last.flatMap { shifts[Character($0.uppercased())] }
        guard let number = Int(shift == nil ? argument : String(argument.dropLast())), number >= 0,
            number <= Int.max >> (shift ?? 0)
        else { return nil }
        bytes = number << (shift ?? 0)
    }

    var defaultValueDescription: String {
        bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? "\(bytes >> 20)M" : "\(bytes)"
    }
}
