import Substrate

/// Two metadata side by side, in all places from which transactions are read.
struct TransactionComparison {
    private(set) var pallets: [MetadataChanges.Pallet] = []
    private var otherExtensions: Set<String> = []
    /// What differs in no call and no extension, by its name.
    private var otherTypes: Set<String> = []
    private let old: FullMetadata
    private let new: FullMetadata
    private var walk: TypeComparison
    /// Pallets that both have.
    private var common: [CommonPallet] = []
    private var commonExtensions: [(name: String, place: TypeComparison.Place)] = []
    private var commonTypes: [(name: String, place: TypeComparison.Place)] = []

    private struct CommonPallet {
        var name: String
        var isMoved: Bool
        /// Names of calls that only one has, or that have another number, name or number of arguments.
        var changed: Set<String> = []
        var calls: [(name: String, place: TypeComparison.Place)] = []
    }

    init(from old: FullMetadata, to new: FullMetadata) {
        (self.old, self.new) = (old, new)
        walk = TypeComparison(from: old, to: new)
        comparePallets()
        compareExtensions()
        compareParts()
        walk.finish()
        for pallet in common {
            let calls = pallet.changed.union(differing(pallet.calls)).sorted()
            guard pallet.isMoved || !calls.isEmpty else { continue }
            pallets.append(MetadataChanges.Pallet(name: pallet.name, kind: .changed(calls: calls)))
        }
        pallets.sort { $0.name < $1.name }
    }

    var extensions: [String] { otherExtensions.union(differing(commonExtensions)).sorted() }
    var types: [String] { otherTypes.union(differing(commonTypes)).union(walk.changedPaths).sorted() }

    private func differing(_ places: [(name: String, place: TypeComparison.Place)]) -> [String] {
        places.filter { walk.differs($0.place) }.map(\.name)
    }

    // MARK: Calls

    private mutating func comparePallets() {
        // The reader refuses two pallets of one name, and two variants of one index.
        let before = Dictionary(uniqueKeysWithValues: old.pallets.map { ($0.name, $0) })
        let after = Dictionary(uniqueKeysWithValues: new.pallets.map { ($0.name, $0) })
        for (name, pallet) in before {
            guard let offered = after[name] else {
                pallets.append(MetadataChanges.Pallet(name: name, kind: .removed))
                continue
            }
            compare(pallet, to: offered)
        }
        for name in after.keys where before[name] == nil {
            pallets.append(MetadataChanges.Pallet(name: name, kind: .added))
        }
    }

    private mutating func compare(_ before: PalletDescription, to after: PalletDescription) {
        var pallet = CommonPallet(
            name: after.name,
            isMoved: before.index != after.index || !TypeComparison.isSame(before.name, as: after.name))
        let name = "calls of \(after.name)"
        switch (before.callsType, after.callsType) {
        case (nil, nil): break
        case (let left?, let right?):
            commonTypes.append((name, walk.place([(left, right)])))
            if old.variants(of: left) != nil, new.variants(of: right) != nil { walk.leaveOut((left, right)) }
        default: otherTypes.insert(name)
        }
        compare(
            before.callsType.flatMap { old.variants(of: $0) } ?? [],
            to: after.callsType.flatMap { new.variants(of: $0) } ?? [], in: &pallet)
        common.append(pallet)
    }

    private mutating func compare(
        _ before: [TypeDescription.Variant], to after: [TypeDescription.Variant], in pallet: inout CommonPallet
    ) {
        let offered = Dictionary(uniqueKeysWithValues: after.map { ($0.index, $0) })
        let known = Set(before.map(\.index))
        pallet.changed = Set(after.filter { !known.contains($0.index) }.map(\.name))
        for call in before {
            guard let other = offered[call.index], TypeComparison.isSame(call.name, as: other.name) else {
                pallet.changed.formUnion([call.name] + (offered[call.index].map { [$0.name] } ?? []))
                continue
            }
            pallet.calls.append((call.name, walk.place(call.fields, beside: other.fields)))
        }
    }

    // MARK: What stands around calls

    private mutating func compareExtensions() {
        let (before, after) = (old.extrinsic.extensions, new.extrinsic.extensions)
        for (left, right) in zip(before, after) {
            guard TypeComparison.isSame(left.identifier, as: right.identifier) else {
                otherExtensions.formUnion([left.identifier, right.identifier])
                continue
            }
            let types = [(left.type, right.type), (left.additionalSigned, right.additionalSigned)]
            commonExtensions.append((left.identifier, walk.place(types)))
        }
        let count = min(before.count, after.count)
        otherExtensions.formUnion((before.dropFirst(count) + after.dropFirst(count)).map(\.identifier))
    }

    /// The types of a transaction's parts: what is inside a call that holds calls is read by the call's.
    private mutating func compareParts() {
        for ((name, left), (_, right)) in zip(old.partTypes, new.partTypes) {
            if let left, let right {
                commonTypes.append((name, walk.place([(left, right)])))
            } else if (left == nil) != (right == nil) {
                otherTypes.insert(name)
            }
        }
    }
}

extension FullMetadata {
    /// The types by which decoding tells calls from other variants: the outer one and those of pallets.
    var callTypes: [UInt32] {
        pallets.compactMap(\.callsType) + partTypes.filter { $0.name == "Call" }.compactMap(\.type)
    }

    /// The variants of a type that has them.
    fileprivate func variants(of type: UInt32) -> [TypeDescription.Variant]? {
        guard Int(type) < types.count, case .variant(let variants) = types[Int(type)].definition else { return nil }
        return variants
    }

    /// The types of sender, call and signature, as far as they are told: metadata 14 have them as parameters.
    fileprivate var partTypes: [(name: String, type: UInt32?)] {
        if let parts = extrinsic.parts {
            return [("Address", parts.address), ("Call", parts.call), ("Signature", parts.signature)]
        }
        let whole = extrinsic.type.flatMap { Int($0) < types.count ? types[Int($0)] : nil }
        return ["Address", "Call", "Signature"].map { name in
            (name, whole?.parameters.last { $0.name == name }?.type)
        }
    }
}
