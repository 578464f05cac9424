/// Inputs that have ended workers, by their SHA-256. One that did so twice is refused for as long as this lives.
///
/// Where a worker had several calls, it is not known which input ended it: all of them are suspects, which is held
/// against none, and from then on each gets a worker of its own.
///
/// Memory is bounded: the oldest suspects are forgotten first, and an attacker who sends many different inputs gains
/// one more try for each.
///
/// Source: `forcefield` section 17.
package struct Quarantine: Sendable {
    static let strikes = 2
    /// Inputs that are remembered.
    static let capacity = 4_096

    private var ends: [[UInt8]: Int] = [:]
    /// The inputs in the order in which they first ended a worker, or were there when one ended.
    private var order: [[UInt8]] = []

    package init() {}

    /// - Parameter digest: of the input.
    package func refuses(_ digest: [UInt8]) -> Bool { ends[digest, default: 0] >= Self.strikes }

    /// The input has ended a worker abnormally.
    package mutating func strike(_ digest: [UInt8]) { add(1, to: digest) }

    /// The input was one of several that a worker had when it ended abnormally.
    package mutating func suspect(_ digest: [UInt8]) { add(0, to: digest) }

    /// The input has ended a worker, or may have.
    package func isSuspect(_ digest: [UInt8]) -> Bool { ends[digest] != nil }

    private mutating func add(_ count: Int, to digest: [UInt8]) {
        if let known = ends[digest] {
            ends[digest] = min(known + count, Self.strikes)
            return
        }
        if order.count == Self.capacity { ends[order.removeFirst()] = nil }
        ends[digest] = count
        order.append(digest)
    }

    /// Whether no input has ended a worker yet, nor may have.
    package var isEmpty: Bool { ends.isEmpty }

    /// Inputs that are refused.
    package var count: Int { ends.values.count { $0 >= Self.strikes } }
}
