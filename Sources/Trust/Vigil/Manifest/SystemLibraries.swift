import CodeMeasurement
import ExecutableImage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the libraries of the system that a program names need in turn.
public struct SystemLibraries: Sendable {
    /// - Returns: what a library of this name and architecture needs; nothing if it is not there.
    public var needed: @Sendable (_ soname: String, _ architecture: String) -> [String]

    public init(needed: @escaping @Sendable (_ soname: String, _ architecture: String) -> [String]) {
        self.needed = needed
    }

    /// Those of this machine, which therefore has to be like the ones that the product is for.
    public static let ofThisMachine = SystemLibraries { soname, architecture in
        guard !soname.contains("/") else { return [] }
        for folder in folders {
            // The path may be a link, and what is measured may not.
            let path = URL(filePath: "\(folder)/\(soname)").resolvingSymlinksInPath().path
            guard let opened = try? OpenedFile(path: path), let file = try? ExecutableFile(parsing: opened),
                let image = file.images.first(where: { $0.architecture == architecture })
            else { continue }
            return (try? file.linkage(of: image).needed) ?? []
        }
        return []
    }

    /// The folders of the loader, and below them those of each architecture.
    private static let folders = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"].flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return [folder] + names.filter { $0.contains("-linux-") }.sorted().map { "\(folder)/\($0)" }
    }
}
