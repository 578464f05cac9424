/// A rule by which data modules are inverted (`raptorq-qr` section 13.7).
struct QRMask: Sendable {
    /// 0 to 7.
    let number: Int

    /// Columns after which each rule repeats, and rows too.
    static let period = 12

    func inverts(x: Int, y: Int) -> Bool {
        switch number {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// The first ``period`` rows, of as many columns.
    var pattern: [Bool] {
        (0..<Self.period * Self.period).map { inverts(x: $0 % Self.period, y: $0 / Self.period) }
    }
}
