extension Duration {
    /// A century, more than any clock here counts: longer times are as good as no limit.
    package static let longest = Duration.seconds(100 * 365 * 86_400)

    /// Rounded down.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Rounded up; none for what is negative, and a century for what is longer.
    package var wholeMilliseconds: UInt64 {
        let time = min(max(.zero, self), .longest)
        return UInt64(time.components.seconds) * 1_000
            + UInt64((time.components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
