/// What only a Mach-O image has.
struct MachODetails: Sendable {
    static let textName = "__TEXT"
    static let linkEditName = "__LINKEDIT"

    /// What the loader's own tables and the code signature are in. Where several have the name, the first.
    let linkEdit: ImageSegment?
    /// Where the code signature is, from the start of the image.
    let signature: Extent?
    /// The bytes that stand in canonical content in the place of the header and the load commands, and are as many as
    /// those.
    let canonicalHeader: [UInt8]
}

extension LoadableImage {
    /// Source: Vigil specification, 3.3.
    init(machO view: ImageView, _ form: MachOForm) throws(ImageFailure) {
        let header = try MachOHeader(parsing: view, form)
        let commands = try LoadCommands(of: header, in: view)
        try commands.checkSegments(in: view)
        try commands.checkSignature(in: view)
        try commands.checkEncryption(in: view)
        try commands.checkCoverage(in: view)
        format = .machO
        `class` = form.width
        byteOrder = form.order
        machine = header.machine
        submachine = header.submachine
        fileType = header.fileType
        range = view.range
        segments = commands.segments.map(\.segment)
        isEncrypted = commands.encryptions.contains { $0.identifier != 0 }
        loadCommandCount = Int(header.commandCount)
        details = .machO(
            MachODetails(
                linkEdit: commands.linkEdit?.segment, signature: commands.signature?.extent,
                canonicalHeader: commands.canonicalHeader(header)))
        try checkContentSize()
    }
}

extension LoadCommands {
    var linkEdit: Segment? { segments.first { $0.segment.name == MachODetails.linkEditName } }

    /// Makes checks 7 and 8.
    fileprivate func checkSegments(in view: ImageView) throws(ImageFailure) {
        let inFile = segments.map { Extent(at: $0.segment.fileOffset, count: $0.segment.fileSize) }
        if let extent = Extent.firstOverlap(among: inFile) {
            throw view.refusal(.overlappingSegments, at: extent.start)
        }
        let inMemory = segments.map { Extent(at: $0.segment.address, count: $0.segment.memorySize) }
        if Extent.firstOverlap(among: inMemory) != nil { throw .refused(.overlappingSegments, offset: nil) }
        let texts = segments.filter { $0.segment.name == MachODetails.textName }
        guard let text = texts.first, texts.allSatisfy({ $0.segment.fileSize > 0 }) else {
            throw .refused(.noTextSegment, offset: nil)
        }
        guard texts.count == 1 else { throw view.refusal(.duplicateTextSegment, at: UInt64(text.position)) }
    }

    /// Makes check 9.
    fileprivate func checkSignature(in view: ImageView) throws(ImageFailure) {
        guard let signature else { return }
        guard view.contains(signature.extent) else {
            throw view.refusal(.codeSignatureOutOfBounds, at: UInt64(signature.command.lowerBound))
        }
    }

    /// Makes check 10. In memory the code is plain.
    fileprivate func checkEncryption(in view: ImageView) throws(ImageFailure) {
        guard view.size != nil else { return }
        if let encryption = encryptions.first(where: { $0.identifier != 0 }) {
            throw view.refusal(.encryptedText, at: UInt64(encryption.position))
        }
    }

    /// What the digests need: unchangeable code, the header inside `__TEXT`, the signature inside `__LINKEDIT`.
    ///
    /// Source: Vigil specification, end of 3.3, 3.4 and 3.6.
    fileprivate func checkCoverage(in view: ImageView) throws(ImageFailure) {
        for covered in segments where covered.segment.fileSize > 0 {
            let isText = covered.segment.name == MachODetails.textName
            let protection = covered.segment.protection
            guard isText || protection.contains(.execute) else { continue }
            guard !protection.contains(.write) else {
                throw view.refusal(.writableExecutable, at: UInt64(covered.position))
            }
            guard !isText || covered.segment.fileOffset == 0 && covered.segment.fileSize >= UInt64(end) else {
                throw view.refusal(.headerNotInText, at: UInt64(covered.position))
            }
        }
        guard let signature else { return }
        let linkEdit = linkEdit.map { Extent(at: $0.segment.fileOffset, count: $0.segment.fileSize) }
        guard linkEdit?.contains(signature.extent) == true else {
            throw view.refusal(.codeSignatureOutOfBounds, at: UInt64(signature.command.lowerBound))
        }
    }
}

extension ImageView {
    /// The image's bytes in the file; empty for an image in memory.
    var range: Range<UInt64> { origin..<origin + (size ?? 0) }
}
