/// A list that mostly holds one item, or none, and then takes no memory of its own.
public struct FewItems<Element> {
    private var head: Element?
    private var tail: [Element] = []

    public init() {}

    public mutating func append(_ item: Element) {
        if head == nil { head = item } else { tail.append(item) }
    }
}

extension FewItems: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { head == nil ? 0 : tail.count + 1 }

    public subscript(position: Int) -> Element {
        if position == 0, let head { return head }
        return tail[position - 1]
    }
}

extension FewItems: Equatable where Element: Equatable {}
extension FewItems: Hashable where Element: Hashable {}
extension FewItems: Sendable where Element: Sendable {}
