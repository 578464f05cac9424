import AirgapLink
import Screens
import SecretMemory

/// What the drawn page asks of the session.
@MainActor
package protocol PageHandler: AnyObject {
    /// Does what a control asks for.
    ///
    /// - Parameter values: what stands in the fields of the page now; looked at before this returns.
    func perform(_ message: Message, with values: any FieldValues)
    /// What there is to say of a path while it is typed; nil where nothing can be said now.
    func verdict(onPath path: String) -> FieldVerdict?
    /// The phrase that the backup is about, which the log notes.
    func phrase() throws -> SecretBytes
    /// A person pressed a key or moved a pointer: the time until autolock begins anew.
    func personIsThere()
}

/// What stands in the fields of a page.
@MainActor
package protocol FieldValues {
    /// The text of a field that is no secret: words, a number, a path; nil for no such field.
    func text(of field: Field.ID) -> String?
    /// The text of a field that is no secret, which is empty afterwards; nil for no such field.
    func takeText(of field: Field.ID) -> String?
    /// Whether a toggle is on; nil for no such field.
    func isOn(_ field: Field.ID) -> Bool?
    /// Whether nothing stands in a field with words or a secret; nil for no such field.
    func isEmpty(_ field: Field.ID) -> Bool?
    /// A copy of what stands in a secret field, which keeps it; nil for no such field.
    func copy(of field: Field.ID) throws -> SecretBytes?
    /// What stands in a secret field, which is empty afterwards, also where this throws; nil for no such field.
    func take(_ field: Field.ID) throws -> SecretBytes?
}

/// What the session asks of the window. A test has one without a screen.
@MainActor
package protocol SessionView: AnyObject {
    /// Shows a page. What is secret on the one before is cleared first.
    func show(_ page: Page)
    /// Shows how far a scan has come; nil where none goes on.
    func show(_ scan: ScanUpdate?)
    /// Shows that something is being done, and takes nothing from the person until nil is shown.
    func show(work: Text?)
    /// Says what did not go, over the page, which stays as it is.
    func tell(_ notice: Text)
    /// Says what ended a scan or work on a file, for people who look elsewhere meanwhile: it stays until something else
    /// is done or another page comes.
    func tell(failure: Text)
    /// Takes everything secret off the screen at once: words, codes, what was typed.
    func hideSecrets()
    /// Closes the window.
    func close()
    /// Asks for a picture, a film or a folder.
    ///
    /// - Parameter chosen: gets its path; is not called where the person changes their mind.
    func chooseSource(_ chosen: @escaping @MainActor (String) -> Void)
    /// Asks for one file.
    ///
    /// - Parameters:
    ///   - title: what the file is.
    ///   - use: what is to be done with it.
    ///   - chosen: gets its path; is not called where the person changes their mind.
    func chooseFile(_ title: Text, to use: FileUse, _ chosen: @escaping @MainActor (String) -> Void)
}

/// What is done with a file that a person chooses.
package enum FileUse: Equatable, Sendable {
    case read
    /// It is written, with this name where the person gives no other.
    case write(named: String)
}
