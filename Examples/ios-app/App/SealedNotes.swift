import Foundation
import MainKey
import SecretMemory

/// The note of this app, in a vault that opens by this device's Secure Enclave: the system asks for the face or the
/// finger. One has to be enrolled, and whoever enrols another loses the note.
struct SealedNotes: Sendable {
    private var folder: String {
        URL.applicationSupportDirectory.appending(path: "vault").path
    }

    private func vault() throws(MainKeyError) -> MainKeyVault {
        var opening = OpenOptions()
        // No other process of this device can change the folder.
        opening.watching = .none
        do throws(MainKeyError) { return try MainKeyVault.open(at: folder, opening) } catch {
            guard case .notFound = error else { throw error }
        }
        var options = VaultOptions()
        options.requiresHardware = true
        // The note is this example's only secret. An app whose data matters adds `.recovery`, and shows its code first.
        options.allowsNoRecovery = true
        return try MainKeyVault.create(at: folder, [.hardware(.lockout)], options, opening: opening)
    }

    func seal(_ text: String) async throws {
        try await MainKeyVault.inBackground {
            let vault = try vault()
            defer { vault.lock() }
            if vault.state == .locked { try vault.unlock(.hardware) }
            var bytes = Array(text.utf8)
            try vault.setItem("note", try SecretBytes(movingFrom: &bytes))
        }
    }

    func open() async throws -> String {
        try await MainKeyVault.inBackground {
            let vault = try vault()
            defer { vault.lock() }
            if vault.state == .locked { try vault.unlock(.hardware) }
            guard let note = try vault.item("note") else { return "" }
            // What is shown on the screen is a String from here on.
            return note.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }
}
