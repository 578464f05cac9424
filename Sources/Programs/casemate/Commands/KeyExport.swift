import Airgap
import ArgumentParser
import Console
import Files
import InstalledSigner
import Signer
import TextForms

extension Key {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export the addresses of seeds, for another signer or a wallet.",
            discussion: """
                Shows the key sets of the seeds as a moving QR code: names, public keys, paths and networks. Nothing \
                secret is in it, but whoever has it sees all your addresses together. Another signer with the same \
                seed takes it with 'key import' and derives each key itself. Keys with a password are left out: their \
                password is nowhere stored, so nobody could compare them.

                  casemate key export savings                     on the terminal
                  casemate key export savings spare --out set.png two seeds, as a film
                """)

        @Argument(help: "Names of the seeds.")
        var seeds: [String]

        @Option(
            help: ArgumentHelp("Write the moving QR code to this film: .png, .apng, .gif.", valueName: "file"),
            completion: .file())
        var out: String?

        @Option(
            help: ArgumentHelp("Write the payload itself to this file.", valueName: "file"), completion: .file())
        var payload: String?

        @OptionGroup var options: OpeningOptions

        func validate() throws {
            guard Set(seeds).count == seeds.count else { throw ValidationError("Name each seed once.") }
        }

        struct Exported: Encodable {
            var seeds: [String]
            /// How many keys are in it.
            var keys: Int
            /// Paths of keys with a password, each behind its seed.
            var leftOut: [String]
            /// The payload in hex.
            var payload: String
            var out: String?
        }

        func run() throws {
            let opened = try options.open(for: .read)
            let bytes = try opened.keySetsExport(ofSeeds: seeds)
            let own = try opened.keys().filter { seeds.contains($0.details.seedName) && !$0.details.networks.isEmpty }
            let leftOut = own.filter(\.details.hasPassword).map { $0.details.seedName + $0.details.path }
            let codes = try TransferSender.phone(bytes)
            if let out { try QROutput.write(codes, to: out) }
            if let payload {
                let file = try PreparedFile(for: FilePath(payload))
                try file.write(bytes)
                try file.commit()
            }
            guard !options.output.json else {
                return try options.output.printJSON(
                    Exported(
                        seeds: seeds, keys: own.count - leftOut.count, leftOut: leftOut, payload: Hex.encode(bytes),
                        out: out))
            }
            for name in leftOut {
                Warning.show("\(ForeignName.shown(name, as: .title)) has a password and was left out.")
            }
            let count = own.count - leftOut.count
            print(
                "\(count == 1 ? "One key" : "\(count) keys") of \(ForeignName.shown(seeds.joined(separator: ", "), as: .title))."
            )
            for path in [out, payload].compactMap({ $0 }) { print("Written to \(path).") }
            if out == nil, payload == nil { try QROutput.show(codes) }
        }
    }
}
