/// Level L2: the shape of a memory map. The covered code of the measured images lies where its loader puts it, whole
/// and of those very files, and nothing else is executable but what the system brings.
///
/// Source: `vigil` section 4.5.
package struct MapShape: Hashable, Sendable {
    /// What does not belong, by ascending address, the images first; empty if all is well. No more than
    /// ``findingLimit``.
    package internal(set) var findings: [Finding] = []

    /// Where code lies that has to be unmodified: covered segments, code of the system, the kernel's own page.
    package internal(set) var codeRanges: [CodeRange] = []

    /// Where the loader has filled in addresses and made memory read-only then. Its pages are the process's own, so
    /// that they differ from the file's in what was filled in.
    package internal(set) var closedRanges: [Range<UInt64>] = []

    package internal(set) var flags: MeasurementFlags = []

    /// Executable mappings that do not belong.
    package internal(set) var foreignCount = 0
    /// Mappings that are both writable and executable.
    package internal(set) var writableExecutableCount = 0
    /// Executable mappings without a file, but for those of the kernel.
    package internal(set) var anonymousExecutableCount = 0

    /// The distance that each image was moved by, in the order of ``MeasuredProgram/images``; nil for one that is not
    /// mapped.
    package internal(set) var biases: [UInt64?] = []

    package static let findingLimit = 16

    /// A pure function of the map: files are looked at by the closure.
    ///
    /// - Parameters:
    ///   - pageSize: of the process, in bytes; a power of two.
    ///   - examine: looks at a file of the system.
    package init(
        _ map: MemoryMap, program: MeasuredProgram, policy: MapPolicy, pageSize: UInt64 = 4096,
        examine: (_ path: String, _ key: FileKey) -> ExternalFile
    ) {
        var check = MapCheck(map: map, policy: policy, pageSize: pageSize)
        let images = program.images
        for (index, image) in images.enumerated() {
            check.check(image, index: index)
        }
        check.checkWritable(images)
        check.checkExecutables(images, examine: examine)
        self = check.shape
    }

    init() {}

    /// Whether code lies somewhere in a range that has to be unmodified, or what the loader has made read-only.
    func hasCode(in addresses: Range<UInt64>) -> Bool {
        codeRanges.contains { $0.addresses.overlaps(addresses) } || closedRanges.contains { $0.overlaps(addresses) }
    }

    mutating func add(_ finding: Finding) {
        if findings.count < Self.findingLimit { findings.append(finding) }
    }
}
