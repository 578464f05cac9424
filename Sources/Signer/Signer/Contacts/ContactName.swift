/// The rules for a contact's name: those of seeds, and no two that differ by case or look alike.
///
/// Source: `signer-product` section 12.2.
enum ContactName {
    /// The name as it is stored: without blanks at the ends.
    static func checked(_ name: String, besides others: [Contact]) throws -> String {
        let checked: String
        do { checked = try SeedName.checked(name) } catch is SignerError { throw SignerError.contactNameInvalid }
        let forms = forms(checked)
        if let other = others.first(where: { !Self.forms($0.name).isDisjoint(with: forms) }) {
            throw SignerError.contactNameTaken(name: checked, other: other.name)
        }
        return checked
    }

    /// What a name looks like, without regard to case: letters may have a twin in one case alone.
    private static func forms(_ name: String) -> Set<String> {
        [SeedName.skeleton(name).lowercased(), SeedName.skeleton(name.lowercased())]
    }
}
