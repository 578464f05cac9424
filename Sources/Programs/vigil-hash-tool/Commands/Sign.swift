import ArgumentParser
import Console
import HardwareKeys
import TextForms
import Vigil

struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a manifest, or rules of behaviour, with a release key.",
        discussion: """
            The key is a P-256 private key in PEM that is not encrypted, as  openssl ecparam -name prime256v1 -genkey  makes it, or vgtk:TAG \
            for a key in this machine's TPM.

            With --append the input is signed already, and gets one more signature. It says which product and epoch \
            was signed: compare them before the file is handed on. Rules of behaviour \
            (vigil-validator learn) are signed with --type behaviour.
            """)

    @Argument(help: "The manifest, or the rules.", completion: .file())
    var file: String

    @Option(help: "What it is: manifest or behaviour.")
    var type = ReleaseContent.manifest

    @Option(help: ArgumentHelp("The release key: a PEM file, or vgtk:TAG.", valueName: "key"), completion: .file())
    var key: String

    @Option(help: ArgumentHelp("Where keys in the TPM are kept.", valueName: "folder"), completion: .directory)
    var keyDirectory = StateDirectory.standardPath(name: "vigil", product: "release")

    @Flag(help: "Add a signature to those that are there.")
    var append = false

    @Option(help: ArgumentHelp("What is signed then.", valueName: "file"), completion: .file())
    var out: String

    func run() throws {
        let content = try CommandFile.read(file, limit: Envelope.sizeLimit)
        let signed: Envelope
        let subject: (product: String, epoch: UInt32)
        do {
            let envelope =
                try append ? Envelope(parsing: content) : Envelope(type: type.payloadType, payload: content)
            // What the programs refuse is not signed, whoever has signed it before.
            subject = try type.check(envelope)
            guard !append || !envelope.signatures.isEmpty else {
                throw EnvelopeError.malformedEnvelope("it has no signature to add one to; sign it without --append")
            }
            signed = try envelope.signed(by: ReleaseKey.open(key, directory: keyDirectory))
        } catch {
            throw try Failure.explaining(error, at: file)
        }
        try CommandFile.write(signed.json, to: out)
        print("\(ScreenText.escape(subject.product)), epoch \(subject.epoch): signed")
    }
}

extension ReleaseContent: ExpressibleByArgument {}
