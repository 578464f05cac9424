/// An executable file: ELF, Mach-O, or a universal binary with several Mach-O slices.
///
///     let file = try ExecutableFile(parsing: BytesInMemory(bytes))
///     for image in file.images { print(image.architecture) }
///     let digests = try file.digests([.text2, .file])
///
/// Every count and offset in the file is taken for hostile: nothing is allocated or read by one before it is checked.
///
/// Source: Vigil specification, section 3.
public struct ExecutableFile: Sendable {
    /// What a file may be.
    public enum Container: String, Sendable {
        case elf
        case machO = "macho"
        case fat
    }

    /// Bytes of the largest file that is read: 1 GiB.
    public static let sizeLimit: UInt64 = 1 << 30

    /// What the file is.
    public let container: Container

    /// The size in bytes.
    public let size: UInt64

    /// One image, or the slices of a universal binary in the order of its table.
    public let images: [LoadableImage]

    let bytes: any ImageBytes

    /// Reads the headers and checks all rules of the format.
    ///
    /// - Throws: ``ImageFailure/refused(_:offset:)`` with the first rule that is broken, or what `bytes` throws.
    public init(parsing bytes: any ImageBytes) throws(ImageFailure) {
        guard bytes.count <= Self.sizeLimit else { throw .refused(.fileTooLarge, offset: nil) }
        self.bytes = bytes
        size = bytes.count
        let view = ImageView(source: bytes, origin: 0, size: bytes.count)
        switch try Magic(of: view) {
        case .elf:
            container = .elf
            images = [try LoadableImage(elf: view)]
        case .machO(let form):
            container = .machO
            images = [try LoadableImage(machO: view, form)]
        case .fat(let width):
            container = .fat
            images = try FatTable(parsing: view, width).images(of: view)
        }
    }

    /// Whether a file begins as ELF, Mach-O or a universal binary does; a file that does need not be a good one.
    public static func isRecognised(_ bytes: any ImageBytes) throws(ImageFailure) -> Bool {
        do throws(ImageFailure) {
            _ = try Magic(of: ImageView(source: bytes, origin: 0, size: bytes.count))
            return true
        } catch {
            guard error.error != nil else { throw error }
            return false
        }
    }
}

extension LoadableImage {
    /// Reads the headers of an image in the memory of a process. There, encrypted code is plain, and no file bounds the
    /// segments; all other rules are those of files.
    ///
    /// - Parameters:
    ///   - memory: where offsets are addresses.
    ///   - header: the address of the ELF or Mach-O header.
    ///
    /// Source: Vigil specification, 3.9 and 11.1.
    public init(mappedIn memory: any ImageBytes, header: UInt64) throws(ImageFailure) {
        let view = ImageView(source: memory, origin: header, size: nil)
        switch try Magic(of: view) {
        case .elf: try self.init(elf: view)
        case .machO(let form): try self.init(machO: view, form)
        case .fat: throw view.refusal(.badMagic, at: 0)
        }
    }
}
