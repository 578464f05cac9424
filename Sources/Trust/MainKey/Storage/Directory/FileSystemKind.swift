import BasicFoundation
import CLinux

/// What lies under a folder, as far as it matters here.
///
/// Source: `mainkey` sections 22 and 23; statfs(2).
package enum FileSystemKind: Equatable, Sendable {
    /// A file system in memory: gone without power, though it may be swapped.
    case memory
    /// A file system on another machine: locks and flushes are not to be relied on.
    case network(String)
    case other

    /// The kind of file system that an open folder lies on. One that the system does not tell is ``other``.
    package init(of directory: PrivateDirectory) {
        self.init(descriptor: directory.descriptor)
    }

    package init(descriptor: Int32) {
        #if os(Linux)
            var magic: UInt32 = 0
            self = clinux_file_system(descriptor, &magic) == 0 ? Self(magic: magic) : .other
        #else
            var status = statfs()
            let isRemote = fstatfs(descriptor, &status) == 0 && status.f_flags & UInt32(MNT_LOCAL) == 0
            self = isRemote ? .network("remote") : .other
        #endif
    }

    init(magic: UInt32) {
        self =
            switch magic {
            case 0x0102_1994, 0x8584_58f6: .memory
            case 0x6969: .network("NFS")
            case 0xff53_4d42: .network("CIFS")
            case 0xfe53_4d42: .network("SMB2")
            case 0x0102_1997: .network("9p")
            default: .other
            }
    }
}
