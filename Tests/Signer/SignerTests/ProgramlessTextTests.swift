import Foundation
import MainKey
import Testing

@testable import Signer

/// What libraries say is shown by the window as by the terminal.
@Suite("Texts of the libraries")
struct ProgramlessTextTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// A command line: an option, a command, or a variable.
    private static func commandLine(in text: String) -> String? {
        let patterns: [Regex<Substring>] = [
            /(?:^|[^\w-])--[a-z]+/, /\b(?:CASEMATE|MAINKEY|VIGIL)_[A-Z]+/,
            #/
            \bcasemate\ (?:acknowledge|contact|core|demo|init|inspect|isolated|key|lock|log|metadata|network(?!\ 1)
            |network-policy|protect|rotate|seed|selfcheck|sign|status|unlock|update|vigil|wipe)\b
            /#,
            /\b(?:mainkey|airgap|generate-message|vigil-validator) [a-z]+/,
        ]
        return patterns.lazy.compactMap { text.firstMatch(of: $0) }.first.map { String($0.output) }
    }

    @Test("a command, an option and a variable are told from words")
    func told() {
        for text in [
            "List them: casemate seed list", "code: --recovery-code", "name it in CASEMATE_VIGIL", "mainkey wipe",
        ] {
            #expect(Self.commandLine(in: text) != nil, "\(text)")
        }
        for text in ["that casemate did not make", "casemate network 1", "-- and then", "a---b"] {
            #expect(Self.commandLine(in: text) == nil, "\(text)")
        }
    }

    @Test(
        "nothing that a library says names a command, an option or a variable of a program",
        arguments: [
            "Signer/Signer", "Signer/SignerCore", "Signer/Screens", "Signer/Navigator", "Signer/NetworkDetector",
            "Signer/SeedDraft", "Signer/SplitBackup", "Trust/MainKey", "Trust/HardwareKeys",
        ])
    func sources(_ room: String) throws {
        let folder = Self.sources.appending(path: room)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(!files.isEmpty)
        for file in files {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() {
                // Comments may name what they like, and one option is the library's own.
                let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
                    .replacing(#""--crash-at=""#, with: "")
                #expect(Self.commandLine(in: String(code)) == nil, "\(file.lastPathComponent):\(number + 1)")
            }
        }
    }

    @Test("refusals that need something typed say what is wrong, and no more than any program can show")
    func refusals() {
        let texts: [any Error] = [
            SignerError.dbNotInitialized(folder: "/v"), SignerError.firstKind(folder: "/v"),
            SignerError.seedNotFound(name: "savings"), SignerError.keyNotFound("5Grw"),
            SignerError.networkNotFound("polkadot"), SignerError.contactExists(name: "Eve"),
            SignerError.vaultKey(.wrongCredential(attemptsLeft: 0)), SignerError.vaultKey(.noSuchSlot("PIN")),
            SignerError.vaultKey(.attemptsExhausted(byHardware: true)),
            SignerError.vaultKey(.hardwareDead(reason: "it does not answer")),
            MainKeyError.noSuchSlot("PIN"), MainKeyError.recoverable(reason: "It is damaged."),
            MainKeyError.badMagic(.wipeMark),
            SignerError.vigil(.noVerdict(reason: "it is silent")), SignerError.vigil(.needsPIN),
            SignerError.vigil(.bindingDiffers(.recordMissing)), RefusedPayload.metadataNotExpanded,
        ]
        for text in texts.map({ "\($0)" }) {
            #expect(Self.commandLine(in: text) == nil, "\(text)")
            #expect(text.hasSuffix("."), "\(text)")
        }
    }
}
