import ArgumentParser
import BasicFoundation
import Console
import ManifestMaking
import Vigil

struct MakeManifest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Write what a release is: the digests of its files, yet to be signed.",
        discussion: """
            Libraries below the root belong to the program that names them; what nobody names, to the app. The \
            libraries of the system are looked up on this machine, which therefore has to be like those that the \
            product is for.

            A program or library whose constants or addresses of functions stay writable while it runs is refused: \
            nobody looks at what is writable. Link it with lld and -z relro -z now -z separate-code; vigil-hash-tool \
            writable FILE tells what is open.

            First steps:
              vigil-hash-tool manifest --app dist/bin/app --validator dist/libexec/validator \\
                --bundle-root dist --epoch 7 --product org.example.app --out m.json
              vigil-hash-tool sign m.json --key release.pem --out dist/vigil-manifest.json
            """)

    enum Externals: String, ExpressibleByArgument, CaseIterable {
        case auto, none
    }

    @Option(help: ArgumentHelp("The program that is validated.", valueName: "file"), completion: .file())
    var app: String

    @Option(help: ArgumentHelp("The program that validates.", valueName: "file"), completion: .file())
    var validator: String

    @Option(
        help: ArgumentHelp("A program that the app starts for its work; may be repeated.", valueName: "file"),
        completion: .file())
    var starts: [String] = []

    @Option(help: ArgumentHelp("The folder that is installed.", valueName: "folder"), completion: .directory)
    var bundleRoot: String?

    @Option(help: "The number of the release; programs refuse a smaller one than they have seen.")
    var epoch: UInt32

    @Option(help: ArgumentHelp("The name of the product.", valueName: "name"))
    var product: String

    @Flag(help: "Also the digest of each page, so that findings name the page.")
    var pages = false

    @Flag(help: "Without digests of whole files: the envelope will be embedded into them.")
    var embedding = false

    @Flag(help: "Also images with writable constants or addresses of functions. Nobody notices when those are changed.")
    var withWritableParts = false

    @Option(help: "Whether the libraries of the system are listed: auto or none.")
    var externals = Externals.auto

    @Option(help: ArgumentHelp("The manifest, yet to be signed.", valueName: "file"), completion: .file())
    var out: String

    func run() throws {
        var draft = ManifestDraft(app: app, validator: validator, bundleRoot: bundleRoot)
        draft.started = starts
        draft.withPages = pages
        draft.withFiles = !embedding
        draft.withWritableParts = withWritableParts
        draft.systemLibraries = externals == .auto ? .ofThisMachine : nil
        let manifest: Manifest
        do {
            manifest = try draft.manifest(product: product, epoch: epoch, created: Timestamp(Date()))
        } catch {
            throw Failure(error)
        }
        try CommandFile.write(manifest.payload, to: out)
    }
}
