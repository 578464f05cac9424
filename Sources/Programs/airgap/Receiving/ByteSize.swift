import ArgumentParser

/// A number of bytes as a person writes it: 500, 64K, 64M, 2G.
struct ByteSize: ExpressibleByArgument {
    let bytes: Int

    init(bytes: Int) {
        self.bytes = bytes
    }

    init?(argument: String) {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = argument.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Int(unit == nil ? argument[...] : argument.dropLast()), number > 0,
            !number.multipliedReportingOverflow(by: unit ?? 1).overflow
        else { return nil }
        bytes = number * (unit ?? 1)
    }

    var defaultValueDescription: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)M" : "\(bytes)" }
}
