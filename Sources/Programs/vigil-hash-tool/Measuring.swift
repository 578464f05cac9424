import CodeMeasurement
import ExecutableImage

/// A file as the commands take it: opened, parsed, with the images of the wanted architecture and their digests.
struct MeasuredFile {
    let parsed: ExecutableFile
    let images: [LoadableImage]
    let digests: FileDigests

    /// - Parameters:
    ///   - architecture: nil for all.
    ///   - isOne: whether there is to be one image only.
    ///   - body: what else is to be read while the file is open.
    static func measure<R>(
        _ path: String, kinds: Set<DigestKind> = [], architecture: String?, isOne: Bool = false,
        _ body: (MeasuredFile) throws(ImageFailure) -> R
    ) throws(Failure) -> R {
        let found: Result<R, Failure>
        do throws(ImageFailure) {
            found = try OpenedFile(path: path).measure { opened throws(ImageFailure) in
                let parsed = try ExecutableFile(parsing: opened)
                let available = parsed.images.map(\.architecture)
                let images = parsed.images.filter { architecture == nil || $0.architecture == architecture }
                if let architecture, images.isEmpty {
                    return .failure(.noSuchArchitecture(architecture, path: path, available: available))
                }
                if isOne, images.count > 1 {
                    return .failure(.severalArchitectures(path: path, available: available))
                }
                let digests = try parsed.digests(kinds, of: images)
                return .success(try body(MeasuredFile(parsed: parsed, images: images, digests: digests)))
            }
        } catch {
            throw .image(path: path, error)
        }
        return try found.get()
    }
}
