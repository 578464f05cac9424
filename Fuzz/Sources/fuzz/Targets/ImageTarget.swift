import ExecutableImage
import Foundation

extension FuzzTarget {
    /// Programs and libraries as anyone may have made them.
    static let image = FuzzTarget(name: "image", seeds: imageSeeds) { bytes in
        let source = BytesInMemory(bytes)
        _ = try? LoadableImage(mappedIn: source, header: 0)
        guard let file = try? ExecutableFile(parsing: source) else { return }
        guard let digests = try? file.digests(Set(DigestKind.allCases)) else {
            preconditionFailure("what is accepted can be hashed")
        }
        precondition(digests.images.count == file.images.count)
        for (image, digest) in zip(file.images, digests.images) {
            precondition(digest.text2 != nil && digest.load2 != nil)
            _ = try? file.codeSignature(of: image)
            _ = try? file.linkage(of: image)
            _ = try? image.digests([.text2, .pageRoot], in: source, slide: 0)
        }
    }

    /// Small images of every format, class and byte order, which the tests of the room have.
    private static var imageSeeds: [[UInt8]] {
        let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = root.appending(path: "Tests/Primitives/ExecutableImageTests/Fixtures")
        let images = ["elf", "macho"].flatMap { kind in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: kind).path)) ?? []
            return names.sorted().compactMap { try? Data(contentsOf: folder.appending(path: "\(kind)/\($0)")) }
        }
        return images.map { Array($0) } + images.map { universal(of: Array($0)) }
    }

    /// A universal binary of one slice.
    private static func universal(of slice: [UInt8]) -> [UInt8] {
        var size: [UInt8] = []
        for shift in [24, 16, 8, 0] { size.append(UInt8(truncatingIfNeeded: slice.count >> shift)) }
        let table: [UInt8] =
            [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 1] + slice[4..<12] + [0, 0, 0, 32] + size + [0, 0, 0, 2]
        return table + [0, 0, 0, 0] + slice
    }
}
