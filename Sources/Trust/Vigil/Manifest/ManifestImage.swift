import BigEndian
import ExecutableImage

/// What a manifest says of one image.
///
/// Source: `vigil` sections 3 and 6.1.
package struct ManifestImage: Hashable, Sendable {
    package enum Role: Hashable, Sendable {
        /// What a side is started as.
        case program
        /// What it loads from its bundle, or starts.
        case library
    }

    package enum Format: String, Hashable, Sendable {
        case elf
        case machO = "macho"
    }

    package var side: Side
    package var role: Role
    /// The path from the root of the bundle, with `/` between its parts.
    package var path: String
    package var format: Format
    package var architecture: String
    package var text1: Bytes32
    package var text2: Bytes32
    package var load2: Bytes32
    /// Digest of the whole file; nil where the envelope is embedded into it, which changes it.
    package var file: Bytes32?
    /// Bytes of the file that ``file`` is of.
    package var size: UInt64
    package var fsverity: Bytes32?
    package var pageSize: PageSize
    package var pageRoot: Bytes32
    package var pages: [PageRun]?

    package init(
        side: Side, role: Role, path: String, format: Format, architecture: String, text1: Bytes32, text2: Bytes32,
        load2: Bytes32, file: Bytes32?, size: UInt64, fsverity: Bytes32?, pageSize: PageSize, pageRoot: Bytes32,
        pages: [PageRun]?
    ) {
        self.side = side
        self.role = role
        self.path = path
        self.format = format
        self.architecture = architecture
        self.text1 = text1
        self.text2 = text2
        self.load2 = load2
        self.file = file
        self.size = size
        self.fsverity = fsverity
        self.pageSize = pageSize
        self.pageRoot = pageRoot
        self.pages = pages
    }
}

/// The digests of a covered segment's pages.
package struct PageRun: Hashable, Sendable {
    /// Where the segment was linked to be.
    package var address: UInt64
    package var digests: [Bytes32]

    package init(address: UInt64, digests: [Bytes32]) {
        self.address = address
        self.digests = digests
    }
}

extension [PageRun] {
    /// The digest over all of them.
    ///
    /// Source: `vigil` section 3.6.
    func root(pageSize: PageSize) -> Bytes32 {
        var message = [UInt8]("vigil/pages/v2\0".utf8)
        message.append(bigEndian: pageSize.rawValue)
        message.append(bigEndian: UInt32(count))
        for run in self {
            message.append(bigEndian: run.address)
            message.append(bigEndian: UInt32(run.digests.count))
            for digest in run.digests { message += digest.bytes }
        }
        return .hash(of: message)
    }
}
