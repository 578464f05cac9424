/// A list that mostly holds one item, or none, and then takes no memory of its own.
struct FewItems<Element> {
    private var head: Element?
    private var tail: [Element] = []

    mutating func append(_ item: Element) {
        if head == nil { head = item } else { tail.append(item) }
    }

    func forEach(_ body: (Element) -> Void) {
        guard let head else { return }
        body(head)
        tail.forEach(body)
    }
}

extension FewItems: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { head == nil ? 0 : tail.count + 1 }

    subscript(position: Int) -> Element {
        if position == 0, let head { return head }
        return tail[position - 1]
    }
}

extension FewItems: Equatable where Element: Equatable {}
extension FewItems: Hashable where Element: Hashable {}
extension FewItems: Sendable where Element: Sendable {}
