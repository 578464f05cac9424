import ArgumentParser
import CodeMeasurement
import Console
import ExecutableImage
import TextForms

struct Bundle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Print one digest of all images below a folder: bundle2.",
        discussion: """
            Every ELF and Mach-O file counts, under its path from the folder; symbolic links are not followed. Where \
            there are images of several architectures each has its own line. A file that begins as an image and breaks \
            a rule refuses the bundle.
            """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    @OptionGroup var architecture: ArchitectureOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let contents: BundleContents
        do {
            contents = try BundleContents(of: folder, [.text1])
        } catch {
            throw Failure.image(path: error.path.isEmpty ? folder : "\(folder)/\(error.path)", error.failure)
        }
        guard !contents.images.isEmpty else { throw Failure.emptyBundle(path: folder) }
        let names = contents.architectures.filter { architecture.name == nil || $0 == architecture.name }
        if let name = architecture.name, names.isEmpty {
            throw Failure.noSuchArchitecture(name, path: folder, available: contents.architectures)
        }
        let bundles = try names.map { try BundleJSON(contents, $0) }
        let path = ScreenText.escape(folder)
        try output.show(
            ["bundles": bundles],
            text: bundles.map { bundle in
                "\(bundle.bundle2)  \(path)" + (contents.architectures.count > 1 ? " (\(bundle.arch))" : "")
            }.joined(separator: "\n"))
    }
}

/// The images of one architecture.
private struct BundleJSON: Encodable {
    var arch: String
    var bundle2: String
    var combineHashes: String?
    var images: [Image]

    struct Image: Encodable {
        var path: String
        var text1: String?
        var text2: String?
    }

    init(_ contents: BundleContents, _ architecture: String) throws {
        arch = architecture
        bundle2 = try contents.bundle2(architecture).description
        let chosen = contents.images.filter { $0.image.architecture == architecture }
        combineHashes = try BundleDigest.combineHashes(chosen.compactMap(\.digests.text1))?.description
        images = chosen.map {
            Image(path: $0.path, text1: $0.digests.text1?.description, text2: $0.digests.text2?.description)
        }
    }
}
