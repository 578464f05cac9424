import Foundation
import Observation

/// What the views show, and what their buttons do.
@MainActor @Observable
final class NotesModel {
    private(set) var line = "Nothing yet."
    private(set) var isTrusted = false

    private let notes = SealedNotes()
    private let server = Server()
    private let validator = AppValidation()

    /// Runs what a button asks for, and shows what came of it.
    func tell(_ action: @MainActor @Sendable () async throws -> Void) async {
        do { try await action() } catch { line = "\(error)" }
    }

    func validate() async {
        await tell {
            let report = try await self.validator.report()
            self.isTrusted = report.result.isTrusted
            self.line = "The validator says: \(report.reason)."
        }
    }

    func seal(_ text: String) async throws {
        try requireTrust()
        try await notes.seal(text)
        line = "Sealed."
    }

    func open() async throws -> String {
        try requireTrust()
        let text = try await notes.open()
        line = "Opened."
        return text
    }

    func connect() async throws { line = "The server answered: \(try await server.greet())" }

    func measurePicture() async throws {
        guard #available(iOS 26, *) else {
            line = "This system has no helper extensions: pictures from strangers are not opened."
            return
        }
        let picture = Bundle.main.url(forResource: "stranger", withExtension: "png")
        let bytes = try picture.map { Array(try Data(contentsOf: $0)) } ?? []
        let measures = try await PictureDecoder.measure(bytes)
        line = "\(measures.width) x \(measures.height)"
    }

    private func requireTrust() throws {
        guard isTrusted else { throw NotVouchedFor() }
    }
}

struct NotVouchedFor: Error, CustomStringConvertible {
    var description: String { "The validator does not vouch for this app. Install it anew from the App Store." }
}
