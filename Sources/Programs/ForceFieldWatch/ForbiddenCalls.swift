import ForceField

/// Calls that the filter would have killed a worker for, in report mode. A worker may ask for ever, so that of each
/// number the first is kept, and how many came.
package struct ForbiddenCalls {
    /// More than any kernel has. A worker may name numbers that none has.
    static let numberLimit = 1024

    private var places: [UInt32: Int] = [:]
    /// The first call of each number with how many there were, in the order in which they came first.
    package private(set) var byNumber: [(first: Termination.ForbiddenCall, count: Int)] = []

    package init() {}

    package mutating func append(_ call: Termination.ForbiddenCall) {
        if let place = places[call.number] {
            byNumber[place].count += 1
        } else if byNumber.count < Self.numberLimit {
            places[call.number] = byNumber.count
            byNumber.append((call, 1))
        }
    }
}
