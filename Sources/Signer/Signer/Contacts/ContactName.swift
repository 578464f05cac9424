/// The rules for a contact's name: those of seeds, and no two that differ by case or look alike.
///
/// Source: `signer-product` section 12.2.
enum ContactName {
    /// The name as it is stored: without blanks at the ends.
    static func checked(_ name: String, besides others: [Contact]) throws -> String {
        let checked: String
        do { checked = try SeedName.checked(name) } catch is SignerError { throw SignerError.contactNameInvalid }
        let forms = SeedName.forms(checked)
        if let other = others.first(where: { !SeedName.forms($0.name).isDisjoint(with: forms) }) {
            throw SignerError.contactNameTaken(name: checked, other: other.name)
        }
        return checked
    }
}
