import ForceFieldWire

/// What the test worker does, for hosts under test as well.
package enum TestMethods {
    package static let echo = Method<[UInt8], [UInt8]>("echo")
    package static let add = Method<Addition, Int>("add")
    /// So many numbers, from 0.
    package static let count = StreamMethod<Int, Int>("count")
    package static let rawItems = StreamMethod<[UInt8], [UInt8]>("rawItems")
    /// Fails, and leaves a task behind that wants to send an item and logs why it cannot.
    package static let leave = StreamMethod<Int, Int>("leave")
    /// Milliseconds to sleep, and then how many have passed.
    package static let sleep = Method<Int, Int>("sleep")
    /// The sum of the numbers below, by all means of Swift Concurrency.
    package static let concurrent = Method<Int, Int>("concurrent")
    package static let fail = Method<String, Int>("fail")
    /// Yields until it is cancelled.
    package static let yield = Method<Int, Int>("yield")
    /// Reports so many steps, and logs a line.
    package static let report = Method<Int, Int>("report")
    /// Asks the host by ``greet``.
    package static let ask = Method<String, String>("ask")
    package static let readDescriptor = Method<Int, Bytes>("readDescriptor")
    package static let configured = Method<Int, String>("configured")
    package static let end = Method<Ending, Int>("end")

    /// What the worker asks its host.
    package static let greet = Method<String, String>("test.greet")

    package struct Addition: Codable, Hashable, Sendable {
        package var left, right: Int

        package init(left: Int, right: Int) {
            self.left = left
            self.right = right
        }
    }

    /// Ways to end that no host asked for.
    package enum Ending: String, Codable, CaseIterable, Sendable {
        /// `listen` is a system call that the filter kills for.
        case exit, exitWithCode, missingValue, abort, fault, allocation, listen, spin
    }
}
