extension UTCTimestamp {
    /// How much of the fraction of a second is written; the rest is cut off.
    package enum Fraction: Sendable {
        case none
        case milliseconds
        case nanoseconds
    }

    /// The moment as RFC 3339 writes it, with `Z`: `2026-02-17T00:00:00.000Z`.
    package func rfc3339(_ fraction: Fraction = .milliseconds) -> String {
        var bytes: [UInt8] = []
        append(to: &bytes, fraction)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the same text as ASCII.
    package func append(to bytes: inout [UInt8], _ fraction: Fraction = .milliseconds) {
        let civil = civil
        bytes.append(decimal: civil.date.year, digits: 4)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(decimal: civil.date.month, digits: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(decimal: civil.date.day, digits: 2)
        bytes.append(UInt8(ascii: "T"))
        bytes.append(decimal: civil.hour, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(decimal: civil.minute, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(decimal: civil.second, digits: 2)
        switch fraction {
        case .none: break
        case .milliseconds:
            bytes.append(UInt8(ascii: "."))
            bytes.append(decimal: nanoseconds / 1_000_000, digits: 3)
        case .nanoseconds:
            bytes.append(UInt8(ascii: "."))
            bytes.append(decimal: nanoseconds, digits: 9)
        }
        bytes.append(UInt8(ascii: "Z"))
    }
}

extension [UInt8] {
    /// Appends the last `digits` decimal digits of a number that is not negative.
    fileprivate mutating func append(decimal number: Int, digits: Int) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
