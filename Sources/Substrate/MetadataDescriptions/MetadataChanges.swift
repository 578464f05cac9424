/// What differs between two metadata in what transactions are made of: pallets and their calls.
///
///     for change in MetadataChanges(from: stored, to: offered).pallets { print(change.name, change.kind) }
public struct MetadataChanges: Hashable, Sendable {
    /// What became of a pallet.
    public enum Kind: Hashable, Sendable {
        /// It is new.
        case added
        /// It is gone.
        case removed
        /// Its number or some of its calls are others; these are the names of the calls.
        case changed(calls: [String])
    }

    /// A pallet that differs.
    public struct Pallet: Hashable, Sendable {
        /// The pallet's name.
        public var name: String
        /// What became of it.
        public var kind: Kind
    }

    /// The pallets that differ, by name.
    public let pallets: [Pallet]

    /// Compares names, numbers and argument types of all calls.
    public init(from old: FullMetadata, to new: FullMetadata) {
        let before = Dictionary(old.pallets.map { ($0.name, $0) }) { first, _ in first }
        let after = Dictionary(new.pallets.map { ($0.name, $0) }) { first, _ in first }
        pallets = Set(before.keys).union(after.keys).sorted().compactMap { name in
            guard let known = before[name] else { return Pallet(name: name, kind: .added) }
            guard let offered = after[name] else { return Pallet(name: name, kind: .removed) }
            let calls = Self.changed(from: old.calls(of: known), to: new.calls(of: offered))
            guard !calls.isEmpty || known.index != offered.index else { return nil }
            return Pallet(name: name, kind: .changed(calls: calls))
        }
    }

    private static func changed(from old: [String: String], to new: [String: String]) -> [String] {
        Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }
}

extension FullMetadata {
    /// The calls of a pallet by name, each as text that differs where its number or the form of its arguments does.
    fileprivate func calls(of pallet: PalletDescription) -> [String: String] {
        guard let type = pallet.callsType, Int(type) < types.count,
            case .variant(let variants) = types[Int(type)].definition
        else { return [:] }
        let calls = variants.map { call in
            let fields = call.fields.map { "\($0.name ?? ""): \(form(of: $0.type, depth: 0))" }
            return (call.name, "\(call.index)(\(fields.joined(separator: ", ")))")
        }
        return Dictionary(calls) { first, _ in first }
    }

    /// A type in words that do not depend on its number, down to the types that are named, whose insides are left out.
    private func form(of type: UInt32, depth: Int) -> String {
        guard Int(type) < types.count, depth < Self.mostDepth else { return "…" }
        let described = types[Int(type)]
        func form(_ inner: UInt32) -> String { self.form(of: inner, depth: depth + 1) }
        guard described.path.isEmpty else {
            let parameters = described.parameters.map { $0.type.map { form($0) } ?? "" }
            return described.path.joined(separator: "::") + "<\(parameters.joined(separator: ", "))>"
        }
        return switch described.definition {
        case .composite(let fields): "{\(fields.map { form($0.type) }.joined(separator: ", "))}"
        case .variant(let variants): "enum \(variants.map(\.name).joined(separator: "|"))"
        case .sequence(let item): "[\(form(item))]"
        case .array(let length, let item): "[\(form(item)); \(length)]"
        case .tuple(let members): "(\(members.map { form($0) }.joined(separator: ", ")))"
        case .primitive(let primitive): "\(primitive)"
        case .compact(let inner): "compact \(form(inner))"
        case .bitSequence(let store, let order): "bits \(form(store)) \(form(order))"
        }
    }

    private static let mostDepth = 4
}
