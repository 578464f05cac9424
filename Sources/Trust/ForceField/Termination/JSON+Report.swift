import StrictJSON

extension JSON {
    /// The text in reports, on one line: nothing in it hides or reorders what people see.
    package var reportText: String { text(escapesHidden: true) }

    /// An object whose members that are nil are left out.
    static func report(_ members: [(String, JSON?)]) -> JSON {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }
}
