import BasicFoundation
import Console
import Signer

/// What is said of a wipe that was begun and did not come to its end.
enum InterruptedWipe {
    static let line = "begun and not finished; the next command that opens the vault finishes it"

    static func tellFinished() {
        StandardError.write(
            "casemate: A wipe of this vault was begun before. It is finished now: the vault is as new.\n")
    }

    /// Runs what opens a vault or wipes it; says of a wipe that this leaves unfinished that nothing takes it back.
    static func explaining<R>(in folder: URL, _ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            if (try? Vault.isWiping(in: folder)) == true {
                let text = """
                    casemate: The wipe of this vault was begun and cannot be taken back. The next command that opens \
                    it finishes it.

                    """
                StandardError.write(text)
            }
            throw error
        }
    }
}
