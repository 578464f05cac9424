/// Items in parts of almost equal size: the larger parts come first.
///
/// Source: RFC 6330 4.4.1.2 (Partition[I, J]).
struct Partition: Hashable, Sendable {
    /// Items in each of the first parts, and how many such parts there are.
    let largeSize, largeCount: Int
    /// Items in each of the other parts.
    let smallSize: Int

    init(_ items: Int, into parts: Int) {
        smallSize = items / parts
        largeCount = items - smallSize * parts
        largeSize = largeCount > 0 ? smallSize + 1 : smallSize
    }

    func size(of part: Int) -> Int { part < largeCount ? largeSize : smallSize }

    /// The part that an item is in, and its place there.
    func place(of item: Int) -> (part: Int, offset: Int) {
        let rest = item - largeSize * largeCount
        guard rest >= 0 else { return (item / largeSize, item % largeSize) }
        return (largeCount + rest / smallSize, rest % smallSize)
    }

    /// The first item of a part.
    func start(of part: Int) -> Int { part * smallSize + min(part, largeCount) }
}
