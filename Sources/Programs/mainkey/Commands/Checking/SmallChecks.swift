import ArgumentParser
import CertificatePins
import Console
import Files
import MainKey

struct Calibrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Measure what a PIN can cost on this machine.",
        discussion: "Prints the cost that 'mainkey init' would take, as its option --cost has it.")

    @Option(help: ArgumentHelp("Milliseconds that unlocking may take.", valueName: "n"))
    var targetMs = 500

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...60_000).contains(targetMs) else { throw ValidationError("--target-ms takes 1 to 60000.") }
    }

    func run() throws {
        let measured = try Argon2Calibration.measure()
        let cost = measured.cost(target: .milliseconds(targetMs))
        struct Calibrated: Encodable {
            var passes: UInt32
            var memoryKiB: UInt32
            var nanosecondsPerMiB: Int
            var milliseconds: Int
        }
        let milliseconds = measured.milliseconds(of: cost)
        try output.show(
            Calibrated(
                passes: cost.passes, memoryKiB: cost.memoryKiB, nanosecondsPerMiB: measured.nanosecondsPerMiB,
                milliseconds: milliseconds),
            text: """
                --cost \(cost.passes):\(cost.memoryKiB)
                \(cost.passes) passes over \(cost.memoryKiB >> 10) MiB: about \(milliseconds) ms a PIN.
                """)
    }
}

extension Argon2Calibration {
    /// What one PIN takes on the machine that was measured.
    func milliseconds(of cost: Argon2Cost) -> Int {
        nanosecondsPerMiB * Int(cost.memoryKiB >> 10) * Int(cost.passes) / 1_000_000
    }
}

struct PINCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin-check", abstract: "Say whether a PIN may be set, and if not, why.",
        discussion: "Nothing is stored. A refused PIN exits with 24.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var typing: TypingOptions

    func run() throws {
        try PINPolicy.standard.check(try typing.secret("PIN"))
        try output.show(["pin": "ok"], text: "This PIN may be set.")
    }
}

struct SPKIPinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spki-pin", abstract: "The pin of a certificate's key, as programs that pin it take it.")

    @Argument(help: "A certificate, DER or PEM.", completion: .file())
    var file: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        let bytes = try InputFile.content(of: FilePath(file), limit: SubjectPublicKeyInfo.certificateLimit)
        let pin: String
        do throws(PinError) { pin = "\(try SPKIPin(certificate: bytes))" } catch {
            guard case .malformed = error else { throw error }
            throw Failure.notACertificate(path: file)
        }
        try output.show(["pin": pin], text: pin)
    }
}
