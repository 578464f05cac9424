#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// What depends on the kind of a file system.
    package enum FileSystemKind {
        /// Whether memory maps do not tell all its files apart: each subvolume of btrfs counts its inodes from the
        /// start, and maps show one device for all of them.
        static func sharesInodes(descriptor: CInt) -> Bool { kind(of: descriptor) == btrfs }

        /// Whether the kernel can verify each page of a file by fs-verity, and its word about that is its own.
        static func hasVerity(descriptor: CInt) -> Bool {
            kind(of: descriptor).map([ext, f2fs, btrfs].contains) ?? false
        }

        /// Why a program's file cannot be measured where it is: another program or machine serves its content, which
        /// may be another one each time, as with FUSE and the file systems of a network.
        ///
        /// - Parameter isRoots: whether root alone decides what the file holds: it is root's, nobody else may write it,
        ///   and root's is all that its path leads through in the namespace of this process. What lies below an overlay
        ///   does not show; that one was mounted there by root.
        /// - Returns: nil if this kernel alone answers for the content.
        package static func objection(toMeasuring file: OpenFile, isRoots: Bool) -> String? {
            guard let kind = kind(of: file.number) else { return "its file system cannot be examined" }
            guard kind != overlay else {
                return isRoots ? nil : "on an overlay only files are measured that nobody but root may change"
            }
            return local.contains(kind)
                ? nil
                : "it is on a file system of kind 0x\(String(kind, radix: 16)), whose content others than this kernel "
                    + "may decide; install it on a local one"
        }

        private static func kind(of descriptor: CInt) -> UInt32? {
            var magic: UInt32 = 0
            return clinux_file_system(descriptor, &magic) == 0 ? magic : nil
        }

        private static let ext: UInt32 = 0xef53
        private static let f2fs: UInt32 = 0xf2f5_2010
        private static let btrfs: UInt32 = 0x9123_683e
        private static let overlay: UInt32 = 0x794c_7630

        /// Local file systems: ext, f2fs, btrfs, xfs, tmpfs, ramfs, squashfs, erofs, zfs, jfs, nilfs, iso9660, udf,
        /// ubifs, reiserfs, hfsplus, ntfs3, vfat, exfat.
        private static let local: Set<UInt32> = [
            ext, f2fs, btrfs, 0x5846_5342, 0x0102_1994, 0x8584_58f6, 0x7371_7368, 0xe0f5_e1e2, 0x2fc1_2fc1, 0x3153_464a,
            0x3434, 0x9660, 0x1501_3346, 0x2405_1905, 0x5265_4973, 0x482b, 0x7366_746e, 0x4d44, 0x2011_bab0,
        ]
    }
#endif
