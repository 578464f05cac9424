/// The digest by which Linux names a file that fs-verity protects: the root of a tree of hashes over blocks of 4096
/// bytes.
///
/// Source: Vigil specification, 3.8; Linux, Documentation/filesystems/fsverity.rst.
public enum FSVerity {
    /// Bytes of a salt at the most.
    package static let saltLimit = 32

    /// Reads a file, which need not be an executable, once.
    ///
    /// - Parameter salt: at most ``saltLimit`` bytes, which the caller checks.
    public static func digest(of bytes: any ImageBytes, salt: [UInt8] = []) throws(ImageFailure) -> ImageDigest {
        precondition(salt.count <= saltLimit, "fs-verity knows no longer salts")
        var pass = DigestPass()
        let number = pass.add(DigestPlan(file: bytes.count), try VerityDigest(size: bytes.count, salt: salt))
        try pass.run(over: bytes)
        return try pass.result(number)
    }
}

/// An fs-verity digest under way: of each level of the tree only the block that is being filled.
final class VerityDigest: DigestSink {
    private static let blockSize = 4096
    /// What a salt is filled up to: a block of SHA-256.
    private static let saltMultiple = 64

    private let size: UInt64
    private let salt: [UInt8]
    private var levels: [Level] = []

    private struct Level {
        let stream: HashStream
        /// Bytes in the block under way.
        var filled = 0
        /// Blocks that are done.
        var blocks: UInt64 = 0
        /// The hash of the last one.
        var last: ImageDigest?
    }

    init(size: UInt64, salt: [UInt8] = []) throws(ImageFailure) {
        self.size = size
        self.salt = salt
        try addLevel()
    }

    func frame(_ bytes: [UInt8]) {}
    func endSegment() {}

    func absorb(_ bytes: UnsafeRawBufferPointer) throws(ImageFailure) { try absorb(bytes, level: 0) }

    private func absorb(_ bytes: UnsafeRawBufferPointer, level: Int) throws(ImageFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = min(rest.count, Self.blockSize - levels[level].filled)
            levels[level].stream.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            levels[level].filled += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if levels[level].filled == Self.blockSize { try endBlock(level) }
        }
    }

    private func endBlock(_ level: Int) throws(ImageFailure) {
        let missing = Self.blockSize - levels[level].filled
        if missing > 0 { levels[level].stream.update([UInt8](repeating: 0, count: missing)) }
        let digest = try ImageDigest(of: levels[level].stream)
        levels[level].stream.update(paddedSalt)
        levels[level].filled = 0
        levels[level].blocks += 1
        // The first block of a level belongs to a next one only if a second follows.
        if levels[level].blocks > 1 {
            if level + 1 == levels.count { try addLevel() }
            if levels[level].blocks == 2, let first = levels[level].last { try absorb(first, level: level + 1) }
            try absorb(digest, level: level + 1)
        }
        levels[level].last = digest
    }

    private func absorb(_ digest: ImageDigest, level: Int) throws(ImageFailure) {
        var failure: ImageFailure?
        digest.withUnsafeBytes { buffer in
            do throws(ImageFailure) {
                try absorb(buffer, level: level)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func addLevel() throws(ImageFailure) {
        let level = Level(stream: try HashStream())
        level.stream.update(paddedSalt)
        levels.append(level)
    }

    private var paddedSalt: [UInt8] {
        let missing = (Self.saltMultiple - salt.count % Self.saltMultiple) % Self.saltMultiple
        return salt + Array(repeating: 0, count: missing)
    }

    func finish() throws(ImageFailure) -> ImageDigest {
        var level = 0
        while level < levels.count {
            if levels[level].filled > 0 { try endBlock(level) }
            level += 1
        }
        let root = levels.last?.last?.bytes ?? Array(repeating: 0, count: ImageDigest.size)
        var descriptor: [UInt8] = [1, 1, 12, UInt8(salt.count), 0, 0, 0, 0]
        descriptor += size.bigEndianBytes.reversed()
        descriptor += root + Array(repeating: 0, count: 64 - root.count)
        descriptor += salt + Array(repeating: 0, count: 32 - salt.count)
        descriptor += Array(repeating: 0, count: 144)
        return try ImageDigest(hashing: descriptor)
    }
}
