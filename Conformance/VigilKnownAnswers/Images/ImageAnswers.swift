import ExecutableImage
import KnownAnswers

/// Executable files by name: their digests, segments and signatures, or the identifier of the rule that refuses them.
enum ImageAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        let rows = content.object.values
        return !rows.isEmpty && rows.allSatisfy { $0.has("images", "file") || $0.has("error") }
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (name, json) in content.object.sorted(by: { $0.key < $1.key }) {
            report.check(json, as: name) { row in try check(&row, name) }
        }
    }

    private static func check(_ row: inout Row, _ name: String) throws {
        let bytes = try row.file(named: name)
        guard let (parsed, digests) = try row.measured(bytes) else { return }
        row.expect("container", parsed.container.rawValue, equals: try row.text("container"))
        row.expect("size", Int(parsed.size), equals: row["size"].int ?? -1)
        row.expect("file", digests.file?.description, equals: row["file"].string)
        let images = row["images"].array
        row.expect("images", parsed.images.count, equals: images.count)
        for ((image, found), expected) in zip(zip(parsed.images, digests.images), images) {
            row.check(image, found, against: expected)
            try row.check(parsed.codeSignature(of: image), expected["codeSignature"])
        }
    }
}

extension Row {
    /// Parses and hashes, unless the row says that the file is refused.
    mutating func measured(_ bytes: [UInt8]) throws -> (ExecutableFile, FileDigests)? {
        let expected = self["error"].string ?? "accepted"
        switch Result(catching: { () throws(ImageFailure) in try measure(bytes) }) {
        case .success(let measured):
            expect("outcome", "accepted", equals: expected)
            return measured
        case .failure(let failure):
            guard let error = failure.error else { throw failure }
            expect("outcome", error.rawValue, equals: expected)
            return nil
        }
    }

    fileprivate mutating func check(_ image: LoadableImage, _ digests: ImageDigests, against expected: JSON) {
        let name = image.architecture
        expect("arch", name, equals: expected["arch"].string ?? "")
        for kind in [DigestKind.text1, .text2, .load2, .pageRoot] {
            expect("\(name) \(kind)", digests[kind]?.description, equals: expected[kind.rawValue].string)
        }
        expect("\(name) textBytes", Int(image.textSize), equals: expected["textBytes"].int ?? -1)
        let segments = image.coveredSegments.map(JSON.init(segment:))
        expect("\(name) segments", segments, equals: expected["segments"].array)
        switch image.format {
        case .elf: checkELF(image, expected)
        case .machO: checkMachO(image, expected)
        }
    }

    private mutating func checkELF(_ image: LoadableImage, _ expected: JSON) {
        expect("format", "elf", equals: expected["format"].string ?? "")
        expect("elfclass", image.class == .bits32 ? 32 : 64, equals: expected["elfclass"].int ?? -1)
        expect("endian", image.byteOrder == .little ? "little" : "big", equals: expected["endian"].string ?? "")
        expect("machine", Int(image.machine), equals: expected["machine"].int ?? -1)
        expect("type", Int(image.fileType), equals: expected["type"].int ?? -1)
    }

    private mutating func checkMachO(_ image: LoadableImage, _ expected: JSON) {
        expect("format", "macho", equals: expected["format"].string ?? "")
        expect("cputype", Int(image.machine), equals: expected["cputype"].int ?? -1)
        expect("cpusubtype", Int(image.submachine), equals: expected["cpusubtype"].int ?? -1)
        expect("filetype", Int(image.fileType), equals: expected["filetype"].int ?? -1)
        expect("ncmds", image.loadCommandCount, equals: expected["ncmds"].int)
        expect("codeSigned", image.hasCodeSignature, equals: expected["codeSigned"].bool ?? false)
        expect("encrypted", image.isEncrypted, equals: expected["encrypted"].bool ?? false)
        guard !expected["sliceOffset"].isNull else { return }
        expect("sliceOffset", Int(image.range.lowerBound), equals: expected["sliceOffset"].int ?? -1)
        expect("sliceSize", image.range.count, equals: expected["sliceSize"].int ?? -1)
    }

    fileprivate mutating func check(_ signature: CodeSignature?, _ expected: JSON) {
        let directories = signature?.directories ?? []
        expect("codeSignature", directories.count, equals: expected.array.count)
        for (directory, expected) in zip(directories, expected.array) {
            expect("cdhash", directory.cdhash, equals: expected["cdhash"].hex ?? [])
            expect("identifier", directory.identifier, equals: expected["identifier"].string ?? "")
            expect("badPages", directory.badPages.map { Int($0) }, equals: expected["badPages"].ints)
            expect("codeLimit", Int(directory.codeLimit), equals: expected["codeLimit"].int ?? -1)
            expect("flags", Int(directory.flags.rawValue), equals: expected["flags"].int ?? -1)
            expect("hashType", Int(directory.hashType), equals: expected["hashType"].int ?? -1)
            expect("pageSizeLog2", Int(directory.pageSizeLog2), equals: expected["pageSizeLog2"].int ?? -1)
            expect("pages", Int(directory.pageCount), equals: expected["pages"].int ?? -1)
        }
    }
}

extension JSON {
    /// A covered segment as known answers give it.
    init(segment: ImageSegment) {
        var object: [String: JSON] = [
            "address": .integer(Int64(bitPattern: segment.address)),
            "fileOffset": .integer(Int64(bitPattern: segment.fileOffset)),
            "prot": .integer(Int64(segment.protection.rawValue)),
            "size": .integer(Int64(bitPattern: segment.fileSize)),
        ]
        if let name = segment.name { object["name"] = .string(name) }
        self = .object(object)
    }
}

private func measure(_ bytes: [UInt8]) throws(ImageFailure) -> (ExecutableFile, FileDigests) {
    let parsed = try ExecutableFile(parsing: BytesInMemory(bytes))
    return (parsed, try parsed.digests(Set(DigestKind.allCases)))
}
