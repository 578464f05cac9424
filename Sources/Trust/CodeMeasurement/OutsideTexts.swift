import ExecutableImage

/// Parsers of texts that an attacker may shape through the kernel, for the fuzzer alone.
@_spi(Fuzzing) public enum OutsideTexts {
    /// Reads a text as each of those that the kernel tells of a process.
    ///
    /// - Returns: false if what was read contradicts itself.
    public static func process(_ bytes: [UInt8]) -> Bool {
        _ = ProcessStat(bytes)
        _ = ProcessStatus(bytes)
        _ = ProcessLimits(bytes)
        _ = EnvironmentBlock(bytes: bytes).values(of: "LD_PRELOAD")
        guard let map = try? MemoryMap(bytes) else { return true }
        let isOrdered = zip(map.mappings, map.mappings.dropFirst()).allSatisfy { $0.end <= $1.start }
        let segment = ImageSegment(
            name: nil, address: 0x800, memorySize: 0x2800, fileOffset: 0x800, fileSize: 0x2800, protection: .read)
        let key = map.mappings.first?.key ?? FileKey(device: DeviceNumber(major: 0xfe, minor: 0), inode: 7)
        let program = MeasuredProgram(main: MeasuredImage(path: "a", key: key, segments: [segment]))
        let shape = MapShape(map, program: program, policy: MapPolicy()) { _, _ in .refused("library") }
        _ = CodePage.findings(in: shape, of: program) { [$0] }
        return isOrdered && shape.findings.count <= MapShape.findingLimit
    }
}
