import Substrate

/// Two registries of types side by side, from pairs of types that stand in the same place down to all that these hold.
///
/// Each pair is looked at once, however often types refer to it and in whatever circles. Two registries between which
/// nothing is found here give the same cards for the same bytes, but for what documentation says.
struct TypeComparison {
    private let old: [TypeDescription]
    private let new: [TypeDescription]
    /// The types that are calls by their number: another with the same members is none.
    private let (oldCalls, newCalls): (Set<UInt32>, Set<UInt32>)
    private var pairs: [Pair] = []
    private var positions: [PairKey: Int] = [:]
    /// Pairs whose members are not looked at yet.
    private var open: [Int] = []
    private var steps = 0
    private var leftOut: Set<PairKey> = []

    private struct PairKey: Hashable {
        var old: UInt32
        var new: UInt32
    }

    /// Two types in the same place, or a place that is no type.
    private struct Pair {
        var key: PairKey?
        /// What is inside the types differs.
        var differsInside = false
        /// It is another type to whoever holds it: by its name, by a parameter or, without a name, by what is inside.
        var differs = false
        /// Who holds it as a member, and who as a parameter.
        var holders: [Int] = []
        var parameterHolders: [Int] = []
    }

    /// A place that holds types and is none itself: a call, an extension.
    struct Place {
        fileprivate var position: Int
    }

    /// How many members are compared; what is beyond counts as different. Runtimes have some ten thousand.
    private static let mostSteps = 1_000_000

    init(from old: FullMetadata, to new: FullMetadata) {
        (self.old, self.new) = (old.types, new.types)
        (oldCalls, newCalls) = (Set(old.callTypes), Set(new.callTypes))
    }

    // MARK: Places

    /// A place that holds `fields`, matched by their order.
    mutating func place(_ old: [TypeDescription.Field], beside new: [TypeDescription.Field]) -> Place {
        let place = addPlace()
        compare(old, to: new, in: place.position)
        return place
    }

    /// A place that holds one type after the other.
    mutating func place(_ types: [(old: UInt32, new: UInt32)]) -> Place {
        let place = addPlace()
        for type in types { hold(type.old, beside: type.new, in: place.position) }
        return place
    }

    /// Leaves two types out of ``changedPaths``, because places tell what differs in them.
    mutating func leaveOut(_ types: (old: UInt32, new: UInt32)) {
        leftOut.insert(PairKey(old: types.old, new: types.new))
    }

    private mutating func addPlace() -> Place {
        pairs.append(Pair())
        return Place(position: pairs.count - 1)
    }

    // MARK: Answers

    /// Compares all that the places hold.
    mutating func finish() {
        while let position = open.popLast() { compareMembers(of: position) }
        spread()
    }

    /// Whether another type is in the place, up to the first types with a name and their parameters.
    func differs(_ place: Place) -> Bool { pairs[place.position].differs }

    /// Paths of the types that are the same by name, but not inside.
    var changedPaths: [String] {
        Set(
            pairs.compactMap { pair in
                guard let key = pair.key, pair.differsInside, !pair.differs, !leftOut.contains(key) else { return nil }
                return new[Int(key.new)].path.joined(separator: "::")
            }
        ).sorted()
    }

    // MARK: Walking

    private mutating func hold(
        _ oldType: UInt32, beside newType: UInt32, in holder: Int, asParameter: Bool = false
    ) {
        steps += 1
        let key = PairKey(old: oldType, new: newType)
        let isKnown = (Int(oldType) < old.count, Int(newType) < new.count)
        // A reference to nothing is read by neither.
        if isKnown == (false, false) { return }
        guard steps <= Self.mostSteps, isKnown == (true, true) else { return mark(holder) }
        let position: Int
        if let known = positions[key] {
            position = known
        } else {
            position = pairs.count
            pairs.append(Pair(key: key))
            positions[key] = position
            open.append(position)
        }
        if asParameter {
            pairs[position].parameterHolders.append(holder)
        } else {
            pairs[position].holders.append(holder)
        }
    }

    /// Something in the pair, or in the place, differs.
    private mutating func mark(_ position: Int) {
        pairs[position].differsInside = true
        if !isNamed(pairs[position]) { pairs[position].differs = true }
    }

    /// Whether both types have the same name, and one at all: what is inside is then a matter of its own.
    private func isNamed(_ pair: Pair) -> Bool {
        guard let key = pair.key else { return false }
        let path = old[Int(key.old)].path
        return !path.isEmpty && Self.isSame(path, as: new[Int(key.new)].path)
    }

    private mutating func compareMembers(of position: Int) {
        guard let key = pairs[position].key else { return }
        let (before, after) = (old[Int(key.old)], new[Int(key.new)])
        let isCalls = (oldCalls.contains(key.old), newCalls.contains(key.new))
        if !Self.isSame(before.path, as: after.path) || isCalls.0 != isCalls.1 { mark(position) }
        for (left, right) in zip(before.parameters, after.parameters) {
            if let left = left.type, let right = right.type {
                hold(left, beside: right, in: position, asParameter: true)
            }
        }
        switch (before.definition, after.definition) {
        case (.composite(let left), .composite(let right)): compare(left, to: right, in: position)
        case (.variant(let left), .variant(let right)): compare(left, to: right, in: position)
        case (.sequence(let left), .sequence(let right)), (.compact(let left), .compact(let right)):
            hold(left, beside: right, in: position)
        case (.array(let leftLength, let left), .array(let rightLength, let right)):
            if leftLength != rightLength { mark(position) }
            hold(left, beside: right, in: position)
        case (.tuple(let left), .tuple(let right)):
            if left.count != right.count { mark(position) }
            for (left, right) in zip(left, right) { hold(left, beside: right, in: position) }
        case (.primitive(let left), .primitive(let right)):
            if left != right { mark(position) }
        case (.bitSequence(let leftStore, let leftOrder), .bitSequence(let rightStore, let rightOrder)):
            hold(leftStore, beside: rightStore, in: position)
            hold(leftOrder, beside: rightOrder, in: position)
        default: mark(position)
        }
    }

    private mutating func compare(
        _ old: [TypeDescription.Field], to new: [TypeDescription.Field], in holder: Int
    ) {
        if old.count != new.count { mark(holder) }
        for (left, right) in zip(old, new) {
            // The name of a type tells amounts from other numbers.
            if !Self.isSame(left.name, as: right.name) || !Self.isSame(left.typeName, as: right.typeName) {
                mark(holder)
            }
            hold(left.type, beside: right.type, in: holder)
        }
    }

    private mutating func compare(
        _ old: [TypeDescription.Variant], to new: [TypeDescription.Variant], in holder: Int
    ) {
        if old.count != new.count { mark(holder) }
        let after = Dictionary(uniqueKeysWithValues: new.map { ($0.index, $0) })
        for variant in old {
            guard let other = after[variant.index] else {
                mark(holder)
                continue
            }
            if !Self.isSame(variant.name, as: other.name) { mark(holder) }
            compare(variant.fields, to: other.fields, in: holder)
        }
    }

    /// What differs makes those differ that hold it.
    private mutating func spread() {
        var differing = pairs.indices.filter { pairs[$0].differs }
        while let position = differing.popLast() {
            for holder in pairs[position].holders {
                let differed = pairs[holder].differs
                mark(holder)
                if !differed, pairs[holder].differs { differing.append(holder) }
            }
            for holder in pairs[position].parameterHolders where !pairs[holder].differs {
                pairs[holder].differs = true
                differing.append(holder)
            }
        }
    }

    // MARK: Names

    /// Byte by byte: strings of Swift are the same when their characters are.
    static func isSame(_ old: String?, as new: String?) -> Bool {
        guard let old, let new else { return old == nil && new == nil }
        return old.utf8.elementsEqual(new.utf8)
    }

    private static func isSame(_ old: [String], as new: [String]) -> Bool {
        old.count == new.count && zip(old, new).allSatisfy { isSame($0, as: $1) }
    }
}
