/// A table with a bound: where it is full, a new entry takes the place of the one that was not asked for longest.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        var key: Key
        var value: Value
        var older: Int32
        var newer: Int32
    }

    private static var none: Int32 { -1 }

    let capacity: Int
    private var places: [Key: Int32] = [:]
    private var nodes: [Node] = []
    private var oldest: Int32 = -1
    private var newest: Int32 = -1

    /// - Parameter capacity: from 1 to 65,536.
    init(capacity: Int) {
        precondition(1...65_536 ~= capacity)
        self.capacity = capacity
    }

    var count: Int { nodes.count }

    /// The entry of a key, which is as recent as before.
    subscript(_ key: Key) -> Value? { places[key].map { nodes[Int($0)].value } }

    /// Changes the entry of a key, which is then the most recent.
    mutating func update<Result>(
        _ key: Key, default start: @autoclosure () -> Value, _ change: (inout Value) -> Result
    ) -> Result {
        let place: Int32
        if let found = places[key] {
            place = found
            unlink(place)
        } else if nodes.count < capacity {
            place = Int32(nodes.count)
            nodes.append(Node(key: key, value: start(), older: Self.none, newer: Self.none))
            places[key] = place
        } else {
            place = oldest
            unlink(place)
            places[nodes[Int(place)].key] = nil
            places[key] = place
            nodes[Int(place)].key = key
            nodes[Int(place)].value = start()
        }
        link(place)
        return change(&nodes[Int(place)].value)
    }

    private mutating func unlink(_ place: Int32) {
        let node = nodes[Int(place)]
        if node.older == Self.none { oldest = node.newer } else { nodes[Int(node.older)].newer = node.newer }
        if node.newer == Self.none { newest = node.older } else { nodes[Int(node.newer)].older = node.older }
    }

    private mutating func link(_ place: Int32) {
        nodes[Int(place)].older = newest
        nodes[Int(place)].newer = Self.none
        if newest == Self.none { oldest = place } else { nodes[Int(newest)].newer = place }
        newest = place
    }
}
