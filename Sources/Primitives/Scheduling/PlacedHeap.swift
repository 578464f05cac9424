/// What stands in a ``PlacedHeap``.
package protocol PlacedHeapMember {
    /// What keeps the places of members that do not keep them themselves.
    associatedtype Places

    func isBefore(_ other: Self) -> Bool

    /// Hears where it stands from now on.
    func settle(at place: Int, in places: inout Places)
}

/// A binary heap, the earliest first, whose members are told their places, so that one can be taken out of the middle.
///
/// To add and to remove cost a time that is logarithmic in the number of members.
package struct PlacedHeap<Member: PlacedHeapMember> {
    /// No member is before the one above it, which is at half its index.
    @usableFromInline var members: [Member] = []

    @inlinable package init() {}

    @inlinable package var count: Int { members.count }
    @inlinable package var first: Member? { members.first }
    @inlinable package subscript(place: Int) -> Member { members[place] }

    @inlinable package mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    @inlinable package mutating func add(_ member: Member, in places: inout Member.Places) {
        members.append(member)
        move(member, from: members.count - 1, in: &places)
    }

    /// Removes the member at a place; it is not told. The last one takes the place, and moves from there.
    @inlinable package mutating func remove(at place: Int, in places: inout Member.Places) {
        let last = members.removeLast()
        if place < members.count { move(last, from: place, in: &places) }
    }

    /// Moves a member up or down from a place to where it belongs.
    @inlinable mutating func move(_ member: Member, from start: Int, in places: inout Member.Places) {
        var place = start
        while place > 0, member.isBefore(members[(place - 1) / 2]) {
            put(members[(place - 1) / 2], at: place, in: &places)
            place = (place - 1) / 2
        }
        while true {
            var child = 2 * place + 1
            if child + 1 < members.count, members[child + 1].isBefore(members[child]) { child += 1 }
            guard child < members.count, members[child].isBefore(member) else { break }
            put(members[child], at: place, in: &places)
            place = child
        }
        put(member, at: place, in: &places)
    }

    @inlinable mutating func put(_ member: Member, at place: Int, in places: inout Member.Places) {
        members[place] = member
        member.settle(at: place, in: &places)
    }
}

extension PlacedHeap: Sendable where Member: Sendable {}
