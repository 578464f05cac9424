/// Plain numbers in memory of their own, without bounds checks: the working arrays of plan building and execution.
///
/// The memory lives to the end of the scope of the variable that holds it, so that pointers into it may be handed down.
/// Indices come from the tables of RFC 6330 and from counts computed here, never from outside bytes; each user says why
/// its indices are in range. In debug builds they are checked.
struct ScratchBuffer<Element: BitwiseCopyable>: ~Copyable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Memory with any content.
    init(uninitialized count: Int, alignment: Int = MemoryLayout<Element>.alignment) {
        self.count = count
        let raw = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, count) * MemoryLayout<Element>.stride, alignment: alignment)
        base = raw.bindMemory(to: Element.self, capacity: max(1, count))
    }

    init(repeating value: Element, count: Int) {
        self.init(uninitialized: count)
        base.initialize(repeating: value, count: count)
    }

    deinit { base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return base[index]
        }
        nonmutating set {
            assert(index >= 0 && index < count)
            base[index] = newValue
        }
    }
}
