import ExecutableImage

/// A file for machines, in the shape of Vigil's known answers.
struct FileJSON: Encodable {
    var error: String?
    var container: String?
    var size: UInt64?
    var file: String?
    var fsverity: String?
    var images: [ImageJSON]?

    init(error: String? = nil) {
        self.error = error
    }

    init(_ measured: MeasuredFile) throws(ImageFailure) {
        container = measured.parsed.container.rawValue
        size = measured.parsed.size
        file = measured.digests.file?.description
        fsverity = measured.digests.fsverity?.description
        var images: [ImageJSON] = []
        for (image, digests) in zip(measured.images, measured.digests.images) {
            var json = ImageJSON(image, digests, isSlice: measured.parsed.container == .fat)
            json.codeSignature = try measured.parsed.readableSignature(of: image)?.directories.map(DirectoryJSON.init)
            images.append(json)
        }
        self.images = images
    }
}

struct ImageJSON: Encodable {
    var format: String
    var arch: String
    var text1: String?
    var text2: String?
    var load2: String?
    var pageRoot: String?
    var textBytes: UInt64
    var segments: [SegmentJSON]
    // ELF
    var elfclass: Int?
    var endian: String?
    var machine: UInt32?
    var type: UInt32?
    // Mach-O
    var cputype: UInt32?
    var cpusubtype: UInt32?
    var filetype: UInt32?
    var ncmds: Int?
    var encrypted: Bool?
    var codeSigned: Bool?
    var codeSignature: [DirectoryJSON]?
    var sliceOffset: UInt64?
    var sliceSize: Int?

    init(_ image: LoadableImage, _ digests: ImageDigests, isSlice: Bool) {
        arch = image.architecture
        text1 = digests.text1?.description
        text2 = digests.text2?.description
        load2 = digests.load2?.description
        pageRoot = digests.pageRoot?.description
        textBytes = image.textSize
        segments = image.coveredSegments.map(SegmentJSON.init)
        switch image.format {
        case .elf:
            format = "elf"
            elfclass = image.class == .bits32 ? 32 : 64
            endian = image.byteOrder == .little ? "little" : "big"
            machine = image.machine
            type = image.fileType
        case .machO:
            format = "macho"
            cputype = image.machine
            cpusubtype = image.submachine
            filetype = image.fileType
            ncmds = image.loadCommandCount
            encrypted = image.isEncrypted
            codeSigned = image.hasCodeSignature
        }
        guard isSlice else { return }
        sliceOffset = image.range.lowerBound
        sliceSize = image.range.count
    }
}

struct SegmentJSON: Encodable {
    var name: String?
    var address: UInt64
    var fileOffset: UInt64
    var size: UInt64
    var prot: UInt32

    init(_ segment: ImageSegment) {
        name = segment.name
        address = segment.address
        fileOffset = segment.fileOffset
        size = segment.fileSize
        prot = segment.protection.rawValue
    }
}

/// A directory of a code signature.
struct DirectoryJSON: Encodable {
    var identifier: String
    var cdhash: String
    var flags: UInt32
    var hashType: UInt8
    var pageSizeLog2: UInt8
    var pages: UInt32
    var codeLimit: UInt64
    var badPages: [UInt32]

    init(_ directory: CodeDirectory) {
        identifier = directory.identifier
        cdhash = directory.hexCDHash
        flags = directory.flags.rawValue
        hashType = directory.hashType
        pageSizeLog2 = directory.pageSizeLog2
        pages = directory.pageCount
        codeLimit = directory.codeLimit
        badPages = directory.badPages
    }
}
