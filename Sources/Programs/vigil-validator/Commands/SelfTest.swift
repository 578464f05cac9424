import ArgumentParser
import BasicFoundation
import CodeMeasurement
import Console
import HardwareKeys
import Vigil
import VigilValidator

struct SelfTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selftest",
        abstract: "Tries what this validator needs of this machine and of its installation.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    /// A test makes nothing: the first start may be the one that opens the window.
    private static let none = "none yet; the first run makes it"

    struct Check: Encodable {
        var name: String
        var passed: Bool
        var detail: String
    }

    func run() throws {
        let installation = try installation.load()
        let checks = [
            Self.check("the manifest is signed by release keys") { "epoch \(installation.manifest.epoch)" },
            Self.check("this validator is the manifest's") {
                let hash = try SelfMeasurement(bundleRoot: installation.own.bundleRoot)
                    .bundleDigest(of: installation.own)
                guard hash == installation.own.hash else { throw Failure(.checkFailed, "it is \(hash)") }
                return "\(hash)"
            },
            Self.check("the app's files are the manifest's") { try Self.checkFiles(installation.other) },
            Self.check("the rules of behaviour are of this release") {
                _ = try installation.behaviour()
                return installation.configuration.behaviour ?? "none are named"
            },
            Self.check("only its user and root may change the program for findings") {
                _ = try TamperCommand(installation.configuration.onTamper)
                return installation.configuration.onTamper.first ?? "none is named"
            },
            Self.check("its key signs") {
                guard let key = try installation.storedState()?.key else { return Self.none }
                let message = Array("selftest".utf8)
                guard PublicKey(x963: key.publicKey)?.verifies(try key.sign(message), of: message) == true else {
                    throw Failure(.checkFailed, "the signature does not verify")
                }
                return key.kind.rawValue
            },
            Self.check("the store is whole") {
                guard let content = try installation.storedState()?.store.content() else { return Self.none }
                return "generation \(content.generation), \(content.peers.count) keys"
            },
            Self.check("the kernel tells about this process") {
                let handles = try ThisProcess.handles()
                let process = try ObservedProcess(getpid())
                var measurement = try ProcessMeasurement(of: process, handles: handles)
                return "\(try measurement.executableFiles().count) files with code"
            },
        ]
        try output.show(
            checks,
            text: Table.text(
                ["CHECK", "", ""],
                checks.map { [$0.name, $0.passed ? "passed" : "FAILED", $0.detail] }))
        guard checks.allSatisfy(\.passed) else { throw ExitCode(1) }
    }

    private static func check(_ name: String, _ body: () throws -> String) -> Check {
        do { return Check(name: name, passed: true, detail: try body()) } catch {
            return Check(name: name, passed: false, detail: "\(error)")
        }
    }

    private static func checkFiles(_ expected: ExpectedProgram) throws -> String {
        let files = FileMeasurements()
        for image in expected.images {
            if let finding = try files.check(image, of: expected) { throw Failure(.checkFailed, "\(finding)") }
        }
        return "\(expected.images.count) files"
    }
}
