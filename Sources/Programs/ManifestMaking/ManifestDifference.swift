import CodeMeasurement
import ExecutableImage
import Vigil

/// A file that is not what the manifest says.
package struct ManifestDifference: Hashable, Sendable {
    /// The path from the root of the bundle.
    package let path: String
    package let architecture: String
    /// What differs, such as `text2`; or why the file cannot be compared.
    package let what: String
}

extension ManifestDifference: CustomStringConvertible {
    package var description: String { "\(path) (\(architecture)): \(what)" }
}

extension Manifest {
    /// Compares an installation with the manifest.
    ///
    /// - Parameter root: the folder that the paths of the manifest are relative to.
    /// - Returns: nothing if every file is there and as it should be, in the order of the entries.
    package func differences(from root: String) -> [ManifestDifference] {
        images.flatMap { image in
            Self.differences(of: image, in: root).map {
                ManifestDifference(path: image.path, architecture: image.architecture, what: $0)
            }
        }
    }

    private static func differences(of image: ManifestImage, in root: String) -> [String] {
        let measured: MeasuredFile
        do {
            measured = try MeasuredFile(
                at: "\(root)/\(image.path)", path: image.path, withPages: image.pages != nil, withFile: true)
        } catch {
            return ["\(error)"]
        }
        let part = measured.images.first { $0.loadable.architecture == image.architecture }
        guard let part, let found = measured.entry(part, of: image.side, image.role) else {
            return ["nothing for this architecture"]
        }
        var differences: [String] = []
        func compare<Value: Equatable>(_ name: String, _ found: Value, with expected: Value) {
            if found != expected { differences.append(name) }
        }
        compare("text1", found.text1, with: image.text1)
        compare("text2", found.text2, with: image.text2)
        compare("load2", found.load2, with: image.load2)
        // Pages of another size than were measured belong to the same text2.
        if found.pageSize == image.pageSize { compare("pageRoot", found.pageRoot, with: image.pageRoot) }
        if let file = image.file {
            compare("file", found.file, with: file)
            compare("size", found.size, with: image.size)
        }
        if let fsverity = image.fsverity { compare("fsverity", found.fsverity, with: fsverity) }
        return differences
    }
}
