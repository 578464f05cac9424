/// Inputs that have ended workers, by their SHA-256. One that did so twice is refused for as long as this lives.
///
/// Memory is bounded: the oldest suspects are forgotten first, and an attacker who sends many different inputs gains one more try
/// for each.
///
/// Source: `forcefield` section 17.
public struct Quarantine: Sendable {
    static let strikes = 2
    /// Inputs that are remembered.
    static let capacity = 4_096

    private var ends: [[UInt8]: Int] = [:]
    /// In the order in which they first ended a worker.
    private var order: [[UInt8]] = []

    public init() {}

    /// - Parameter digest: of the input.
    public func refuses(_ digest: [UInt8]) -> Bool { ends[digest, default: 0] >= Self.strikes }

    /// The input has ended a worker abnormally.
    public mutating func strike(_ digest: [UInt8]) {
        if let count = ends[digest] {
            ends[digest] = min(count + 1, Self.strikes)
            return
        }
        if order.count == Self.capacity { ends[order.removeFirst()] = nil }
        ends[digest] = 1
        order.append(digest)
    }

    /// No input has ended a worker yet.
    public var isEmpty: Bool { ends.isEmpty }

    /// Inputs that are refused.
    public var count: Int { ends.values.count { $0 >= Self.strikes } }
}
