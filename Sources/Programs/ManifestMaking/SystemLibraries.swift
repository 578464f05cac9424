import BasicFoundation

/// Where the dynamic loader looks for libraries whose folder no program names.
///
/// Source: ld.so(8).
package struct SystemLibraries: Sendable {
    /// Paths that its cache has for a name.
    private let cached: @Sendable (_ soname: String) -> [String]
    /// The loader's own folders.
    private let folders: [String]

    package init(folders: [String], cached: @escaping @Sendable (_ soname: String) -> [String] = { _ in [] }) {
        self.folders = folders
        self.cached = cached
    }

    /// The libraries of this machine, which therefore has to be like the ones that the product is for.
    package static let ofThisMachine: SystemLibraries = {
        let content = FileManager.default.contents(atPath: "/etc/ld.so.cache")
        let cache = content.flatMap { $0.count <= LoaderCache.sizeLimit ? LoaderCache(parsing: Array($0)) : nil }
        return SystemLibraries(folders: usualFolders) { cache?.places(of: $0) ?? [] }
    }()

    /// The paths in the order in which they are tried.
    ///
    /// - Parameter withoutFolders: for a program that is linked to do without the loader's own folders.
    func places(of soname: String, withoutFolders: Bool) -> [String] {
        let cached = cached(soname)
        guard withoutFolders else { return cached + folders.map { "\($0)/\(soname)" } }
        return cached.filter { path in !folders.contains { path == "\($0)/\(soname)" } }
    }

    /// The folders of the loader, and below them those of each architecture.
    private static let usualFolders = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"].flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.contains("-linux-") }.sorted().map { "\(folder)/\($0)" } + [folder]
    }
}
