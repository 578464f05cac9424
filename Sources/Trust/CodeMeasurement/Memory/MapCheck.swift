import ExecutableImage

/// Takes the steps of ``MapShape``.
struct MapCheck {
    let map: MemoryMap
    let policy: MapPolicy
    /// The size of a page in bytes.
    let pageSize: UInt64
    private(set) var shape = MapShape()

    // MARK: Covered code

    mutating func check(_ image: MeasuredImage, index: Int) {
        guard let first = image.segments.first else {
            shape.biases.append(nil)
            shape.add(Finding("the image has no covered segment", path: image.path))
            return
        }
        let isLoaded = map.mappings.contains { $0.protection.isExecutable && image.isMapped(by: $0) }
        let head = map.mappings.first { image.isMapped(by: $0) && $0.offset == floor(first.fileOffset) }
        guard isLoaded, let head else {
            shape.biases.append(nil)
            if index == 0 || isLoaded {
                shape.add(Finding("the code of the image is not mapped as its loader maps it", path: image.path))
            }
            return
        }
        let bias = head.start &- floor(first.address)
        shape.biases.append(bias)
        if index == 0, map.path(of: head, endsIn: MemoryMap.deletedSuffix) { shape.flags.insert(.executableDeleted) }
        for (number, segment) in image.segments.enumerated() {
            guard let range = pages(of: segment, bias: bias) else {
                shape.add(Finding("the segment does not fit into memory", path: image.path, segment: number))
                continue
            }
            shape.codeRanges.append(
                CodeRange(
                    addresses: range, origin: .image(index, segment: number),
                    isExecutable: segment.protection.contains(.execute)))
            checkTiles(range, of: segment, named: "a covered page", number: number, image: image)
        }
        for segment in image.closedSegments {
            guard let range = pages(of: segment, bias: bias) else {
                shape.add(Finding("what the loader closes does not fit into memory", path: image.path))
                continue
            }
            shape.closedRanges.append(range)
            checkTiles(range, of: segment, named: "a page that the loader made read-only", number: nil, image: image)
        }
    }

    /// Every page of the range must be the file's page at the same distance, private, with the segment's permissions.
    private mutating func checkTiles(
        _ range: Range<UInt64>, of segment: ImageSegment, named page: String, number: Int?, image: MeasuredImage
    ) {
        let expected = MappingProtection(segment.protection)
        var address = range.lowerBound
        var index = map.index(at: address)
        while address < range.upperBound {
            guard index < map.mappings.count, map.mappings[index].start <= address else {
                return shape.add(deviation("\(page) is not mapped", of: image, segment: number, address: address))
            }
            let mapping = map.mappings[index]
            guard mapping.key == image.key else {
                return shape.add(
                    deviation(
                        "\(page) is of \(name(of: mapping))", of: image, segment: number, address: address, at: mapping)
                )
            }
            guard mapping.protection == expected else {
                let found = "\(page) is \(mapping.protection) instead of \(expected)"
                return shape.add(deviation(found, of: image, segment: number, address: address, at: mapping))
            }
            let distance = address - range.lowerBound
            guard mapping.offset &+ (address - mapping.start) == floor(segment.fileOffset) &+ distance else {
                return shape.add(
                    deviation(
                        "\(page) is another page of the file", of: image, segment: number, address: address, at: mapping
                    ))
            }
            address = mapping.end
            index += 1
        }
    }

    private func deviation(
        _ text: String, of image: MeasuredImage, segment: Int?, address: UInt64, at mapping: MemoryMapping? = nil
    ) -> Finding {
        // What lies there instead is what the reader looks for.
        Finding(
            "\(image.path): \(text)", path: mapping.map(name(of:)) ?? image.path, segment: segment, address: address)
    }

    // MARK: Executable memory

    /// What is written to a shared mapping of a file is in all mappings of it, without a private copy.
    mutating func checkWritable(_ images: [MeasuredImage]) {
        for mapping in map.mappings where mapping.protection.isSuperset(of: [.shared, .write]) {
            guard let image = images.first(where: { $0.isMapped(by: mapping) }) else { continue }
            shape.add(
                Finding("\(image.path): shared and writable mapping", path: name(of: mapping), address: mapping.start))
        }
    }

    mutating func checkExecutables(
        _ images: [MeasuredImage], examine: (_ path: String, _ key: FileKey) -> ExternalFile
    ) {
        let covered = shape.codeRanges.filter(\.isExecutable).map(\.addresses).sorted { $0.lowerBound < $1.lowerBound }
        var allowances = policy.allowedJIT
        for mapping in map.mappings where mapping.protection.isExecutable {
            if mapping.protection.contains(.write) { shape.writableExecutableCount += 1 }
            if covered.cover(mapping.addresses) { continue }
            if isOfKernel(mapping) {
                // Its page can be written to by a debugger like any other. The one of vsyscall is outside of the
                // process.
                if map.path(of: mapping, is: "[vdso]") {
                    shape.codeRanges.append(
                        CodeRange(addresses: mapping.addresses, origin: .external("[vdso]"), isExecutable: true))
                }
                continue
            }
            if !mapping.hasFile { shape.anonymousExecutableCount += 1 }
            if let objection = objection(to: mapping, images, examine: examine) {
                if !mapping.hasFile, allow(mapping, &allowances) { continue }
                shape.foreignCount += 1
                shape.add(Finding(objection, path: name(of: mapping), address: mapping.start))
            } else {
                let path = map.path(of: mapping)
                shape.codeRanges.append(
                    CodeRange(addresses: mapping.addresses, origin: .external(path), isExecutable: true))
            }
        }
    }

    /// Memory that the kernel itself maps. No file has such a name together with device and inode 0.
    private func isOfKernel(_ mapping: MemoryMapping) -> Bool {
        !mapping.hasFile && mapping.offset == 0 && mapping.protection.isDisjoint(with: [.write, .shared])
            && (map.path(of: mapping, is: "[vdso]") || map.path(of: mapping, is: "[vsyscall]"))
    }

    /// Why an executable mapping does not belong; nil if it is code of the system.
    private mutating func objection(
        to mapping: MemoryMapping, _ images: [MeasuredImage],
        examine: (_ path: String, _ key: FileKey) -> ExternalFile
    ) -> String? {
        guard mapping.hasFile else { return "executable memory without a file" }
        if mapping.protection.contains(.write) { return "writable executable mapping" }
        if mapping.protection.contains(.shared) { return "shared executable mapping" }
        if images.contains(where: { $0.isMapped(by: mapping) }) {
            return "code of an image outside of its covered segments"
        }
        var path = map.path(of: mapping)
        let isDeleted = map.path(of: mapping, endsIn: MemoryMap.deletedSuffix)
        if isDeleted { path.removeLast(MemoryMap.deletedSuffix.utf8CodeUnitCount) }
        guard policy.isExternal(path) else { return "executable file that is not in the manifest" }
        guard policy.allowsName(of: path) else { return "library that the manifest does not name" }
        if isDeleted {
            if policy.deletedExternal == .deny || policy.isPinned(path) {
                return "library that was replaced; restart the program"
            }
            shape.flags.insert(.externalDeleted)
            return nil
        }
        switch examine(path, mapping.key) {
        case .trusted: return nil
        case .refused(let why): return why
        }
    }

    /// Takes the tightest allowance that fits.
    private func allow(_ mapping: MemoryMapping, _ allowances: inout [MapPolicy.JITAllowance]) -> Bool {
        let size = mapping.end - mapping.start
        guard mapping.protection.isDisjoint(with: [.write, .shared]),
            let index = allowances.indices.filter({ allowances[$0].count > 0 && allowances[$0].size >= size }).min(by: {
                allowances[$0].size < allowances[$1].size
            })
        else { return false }
        allowances[index].count -= 1
        return true
    }

    // MARK: Arithmetic

    private func floor(_ value: UInt64) -> UInt64 { value & ~(pageSize - 1) }

    /// The pages that hold the segment's bytes of the file; nil if they run over the end of memory.
    private func pages(of segment: ImageSegment, bias: UInt64) -> Range<UInt64>? {
        let (end, runsOver) = segment.address.addingReportingOverflow(segment.fileSize)
        guard !runsOver, end <= ~(pageSize - 1) else { return nil }
        let first = bias &+ floor(segment.address)
        let last = bias &+ floor(end + pageSize - 1)
        return first < last ? first..<last : nil
    }

    private func name(of mapping: MemoryMapping) -> String {
        guard mapping.path.isEmpty else { return map.path(of: mapping) }
        return "anonymous \(String(mapping.protection.description.dropLast()))"
    }
}

extension MappingProtection {
    /// How the loader maps a segment.
    init(_ protection: SegmentProtection) {
        self = []
        if protection.contains(.read) { insert(.read) }
        if protection.contains(.write) { insert(.write) }
        if protection.contains(.execute) { insert(.execute) }
    }
}

extension [Range<UInt64>] {
    /// Whether ascending ranges together hold all of another one.
    fileprivate func cover(_ range: Range<UInt64>) -> Bool {
        var reached = range.lowerBound
        for part in self where part.lowerBound <= reached && reached < part.upperBound {
            reached = part.upperBound
            if reached >= range.upperBound { return true }
        }
        return false
    }
}
