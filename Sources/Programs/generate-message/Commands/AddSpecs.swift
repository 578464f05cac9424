import ArgumentParser
import Console
import HotSide
import Substrate
import TextForms

struct AddSpecs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-specs",
        abstract: "Make the record of a network, keep it, and write it to be signed.",
        discussion: """
            -n takes the title of the address book, which is NAME-SCHEME.

            A network that is new here, the same for other keys, and what is stored:
              generate-message add-specs -t -u wss://node.example --encryption sr25519
              generate-message add-specs -t -n acala-sr25519 --encryption ed25519
              generate-message add-specs -f -n acala-sr25519
            """)

    @OptionGroup var set: SetOptions
    @OptionGroup var hot: HotOptions
    @OptionGroup var folder: FolderOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "The scheme of the network's keys: ed25519, sr25519, ecdsa or ethereum.", valueName: "scheme"))
    var encryption: SchemeOption?

    @Option(help: ArgumentHelp("What vaults call the network. Default: NAME-SCHEME.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("Decimal places of the token, where the network has several.", valueName: "number"))
    var tokenDecimals: UInt8?

    @Option(help: ArgumentHelp("Symbol of the token, where the network has several.", valueName: "text"))
    var tokenUnit: String?

    func validate() throws {
        guard (tokenDecimals == nil) == (tokenUnit == nil) else {
            throw ValidationError("--token-decimals and --token-unit belong together.")
        }
    }

    func run() async throws {
        let side = try hot.open()
        var overrides = NetworkOverrides(scheme: encryption?.scheme, title: title)
        if let tokenDecimals, let tokenUnit {
            overrides.token = TokenProperties.Token(decimals: tokenDecimals, unit: tokenUnit)
        }
        var lines: [Line] = []
        _ = try await side.addSpecs(
            set.set.flag, try set.reference(hot), overrides: overrides, comparing: try set.other(hot)
        ) { loaded in
            let file =
                loaded.isWritten
                ? try folder.write(
                    loaded.content.signedBytes, named: UpdateFile.unsignedName(loaded.content)) : nil
            lines.append(Line(specs: SpecsJSON(loaded.specs), isNew: loaded.isNew, file: file))
        }
        try output.show(lines, text: lines.map(\.text).joined(separator: "\n"))
    }

    private struct Line: Encodable {
        let specs: SpecsJSON
        let isNew: Bool
        let file: String?

        var text: String { specs.text + (file.map { "\n  to be signed: \($0)" } ?? "") }
    }
}

extension SchemeOption {
    var scheme: SignatureScheme {
        switch self {
        case .ed25519: .ed25519
        case .sr25519: .sr25519
        case .ecdsa: .ecdsa
        case .ethereum: .ethereum
        }
    }
}

/// A network's record for people and machines.
struct SpecsJSON: Encodable {
    let title: String
    let name: String
    let genesis: String
    let encryption: String
    let prefix: UInt16
    let decimals: UInt8
    let unit: String
    let pathID: String
    let color: String
    let secondaryColor: String

    init(_ specs: NetworkSpecs) {
        (title, name, genesis, encryption) = (specs.title, specs.name, specs.genesisHash.hex, specs.scheme.name)
        (prefix, decimals, unit, pathID) = (specs.base58Prefix, specs.decimals, specs.unit, specs.pathID)
        (color, secondaryColor) = (specs.color, specs.secondaryColor)
    }

    var text: String {
        """
        \(ScreenText.escape(title))
          name \(ScreenText.escape(name)), \(encryption), prefix \(prefix), \(decimals) decimals, token \(ScreenText.escape(unit))
          genesis \(genesis)
        """
    }
}
