import BasicFoundation
import CodeMeasurement
import ExecutableImage
import Vigil

/// Makes a manifest, yet to be signed, from the files of a build.
///
///     let manifest = try ManifestDraft(
///         app: "dist/bin/vault", validator: "dist/libexec/vigil-validator", bundleRoot: "dist"
///     ).manifest(product: "org.example.vault", epoch: 7, created: Timestamp(Date()))
///
/// Source: `vigil` sections 6.1 and 10.
package struct ManifestDraft: Sendable {
    package var app: String
    package var validator: String
    /// Paths of programs that the app starts for its work.
    package var started: [String] = []
    /// What is below it belongs to the product; nil for nothing but the two programs.
    package var bundleRoot: String?
    /// Whether to give also the digest of each page, by which a finding names the page.
    package var withPages = false
    /// Whether to give also the digests of whole files. Not where the envelope will be embedded into them.
    package var withFiles = true
    /// Whether to take also images in which constants or addresses of functions stay writable: it is not checked then
    /// that those are as they were when the program began.
    package var withWritableParts = false
    /// Lists the libraries of the system that the programs load; nil leaves them to the folders of the system.
    package var systemLibraries: SystemLibraries?

    /// - Parameters:
    ///   - app: the path of the program, as is `validator`.
    ///   - bundleRoot: a folder.
    package init(app: String, validator: String, bundleRoot: String? = nil) {
        self.app = app
        self.validator = validator
        self.bundleRoot = bundleRoot
    }

    /// - Throws: ``ManifestDraftError``
    package func manifest(product: String, epoch: UInt32, created: Timestamp) throws(ManifestDraftError) -> Manifest {
        let programs: [(Side, MeasuredFile)] = [
            (.app, try measure(app, path: path(of: app))),
            (.validator, try measure(validator, path: path(of: validator))),
        ]
        let libraries = try libraries(besides: programs.map(\.1.path))
        var images: [ManifestImage] = []
        var externals: [ExternalLibrary] = []
        for (side, program) in programs {
            var sonames: Set<String> = []
            for image in program.images {
                let needs = needs(of: image, at: side == .app ? app : validator, among: libraries)
                sonames.formUnion(needs.external)
                images += [program.entry(image, of: side, .program)].compactMap { $0 }
                images += needs.libraries.compactMap { $0.file.entry($0.image, of: side, .library) }
            }
            if systemLibraries != nil {
                externals += sonames.sorted().map { ExternalLibrary(side: side, soname: $0) }
            }
        }
        for path in started {
            let program = try measure(path, path: self.path(of: path))
            images += program.images.compactMap { program.entry($0, of: .app, .library) }
        }
        // What no program names is loaded at run time, if at all, and by the app.
        let named = Set(images.map { "\($0.architecture) \($0.path)" })
        images += libraries.filter {
            !named.contains("\($0.image.loadable.architecture) \($0.file.path)") && !$0.image.isProgram
        }.compactMap { $0.file.entry($0.image, of: .app, .library) }
        do {
            return try Manifest(
                product: product, epoch: epoch, created: created.rfc3339, images: images, externals: externals,
                bundles: try Self.bundles(of: images))
        } catch {
            throw .manifest(error)
        }
    }
}

/// Why no manifest can be made.
package enum ManifestDraftError: Error, Sendable {
    case image(path: String, ImageFailure)
    /// What decides what a program does stays writable in it.
    case writable(path: String, WritablePart)
    /// A program is not below the root of the bundle.
    case outside(path: String, root: String)
    case manifest(ManifestError)
}

extension ManifestDraftError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .image(let path, let failure): "\(path): \(failure)"
        case .writable(let path, let part): "\(path): \(part)"
        case .outside(let path, let root): "\(path) is not below \(root). Give a root that both programs are below."
        case .manifest(let error): error.description
        }
    }
}

extension ManifestDraft {
    private func measure(_ location: String, path: String) throws(ManifestDraftError) -> MeasuredFile {
        let file: MeasuredFile
        do {
            file = try MeasuredFile(at: location, path: path, withPages: withPages, withFile: withFiles)
        } catch {
            throw .image(path: location, error)
        }
        if !withWritableParts, let part = file.images.lazy.compactMap(\.writableParts.first).first {
            throw .writable(path: location, part)
        }
        return file
    }

    /// What is below the root, besides the two programs.
    private func libraries(besides programs: [String]) throws(ManifestDraftError) -> [BundleLibrary] {
        guard let bundleRoot else { return [] }
        let contents: BundleContents
        do { contents = try BundleContents(of: bundleRoot) } catch {
            throw .image(path: "\(bundleRoot)/\(error.path)", error.failure)
        }
        var libraries: [BundleLibrary] = []
        for path in Set(contents.images.map(\.path)).subtracting(programs).sorted(by: BundleDigest.isPath(_:before:)) {
            let file = try measure("\(bundleRoot)/\(path)", path: path)
            libraries += file.images.map { BundleLibrary(file: file, image: $0) }
        }
        return libraries
    }

    private func needs(
        of program: MeasuredFile.Image, at location: String, among libraries: [BundleLibrary]
    ) -> LibraryNeeds {
        let architecture = program.loadable.architecture
        return LibraryNeeds(
            of: program.linkage, at: location,
            among: libraries.filter { $0.image.loadable.architecture == architecture },
            root: bundleRoot, LibrarySearch(architecture: architecture, system: systemLibraries))
    }

    /// The path in the bundle.
    private func path(of program: String) throws(ManifestDraftError) -> String {
        let file = URL(filePath: program).standardizedFileURL
        let root: URL
        if let bundleRoot {
            root = URL(filePath: bundleRoot, directoryHint: .isDirectory).standardizedFileURL
        } else {
            let folder = file.deletingLastPathComponent()
            root = folder.lastPathComponent == "bin" ? folder.deletingLastPathComponent() : folder
        }
        let (inner, outer) = (file.pathComponents, root.pathComponents)
        guard inner.starts(with: outer), inner.count > outer.count else {
            throw .outside(path: program, root: root.path)
        }
        return inner.dropFirst(outer.count).joined(separator: "/")
    }

    private static func bundles(of images: [ManifestImage]) throws(ManifestError) -> [BundleEntry] {
        var bundles: [BundleEntry] = []
        for side in Side.allCases {
            let architectures = Set(images.filter { $0.side == side && $0.role == .program }.map(\.architecture))
            for architecture in architectures.sorted() {
                let own = images.filter { $0.side == side && $0.architecture == architecture }
                bundles.append(
                    BundleEntry(
                        side: side, architecture: architecture, bundle2: try Manifest.bundle2(of: own)))
            }
        }
        return bundles
    }
}

extension MeasuredFile.Image {
    /// Whether it is started and not loaded: Mach-O's `MH_EXECUTE`, ELF's `ET_EXEC`, or what asks for a loader.
    fileprivate var isProgram: Bool { loadable.fileType == 2 || linkage.interpreter != nil }
}
