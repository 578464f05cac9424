/// The parser of what wardens say, for the fuzzer alone.
@_spi(Fuzzing) public enum OutsideControlBytes {
    /// - Returns: whether what is read as a record is written as it was.
    public static func controlRecord(_ bytes: [UInt8]) -> Bool {
        if let report = WardenReport(bytes), !report.isSame(as: bytes) { return false }
        if let order = WardenOrder(bytes), order.bytes != bytes { return false }
        return true
    }
}

extension WardenReport {
    /// Whether the record is that of `bytes`, but for the bit of a core dump.
    fileprivate func isSame(as bytes: [UInt8]) -> Bool {
        guard case .exited = self else { return self.bytes == bytes }
        return WardenReport(self.bytes) == self
    }
}
