import ForceFieldWire

/// What the test worker does, for hosts under test as well.
public enum TestMethods {
    public static let echo = Method<[UInt8], [UInt8]>("echo")
    public static let add = Method<Addition, Int>("add")
    /// So many numbers, from 0.
    public static let count = StreamMethod<Int, Int>("count")
    public static let rawItems = StreamMethod<[UInt8], [UInt8]>("rawItems")
    /// Milliseconds to sleep, and then how many have passed.
    public static let sleep = Method<Int, Int>("sleep")
    /// The sum of the numbers below, by all means of Swift Concurrency.
    public static let concurrent = Method<Int, Int>("concurrent")
    public static let fail = Method<String, Int>("fail")
    /// Yields until it is cancelled.
    public static let yield = Method<Int, Int>("yield")
    /// Reports so many steps, and logs a line.
    public static let report = Method<Int, Int>("report")
    /// Asks the host by ``greet``.
    public static let ask = Method<String, String>("ask")
    public static let readDescriptor = Method<Int, Bytes>("readDescriptor")
    public static let configured = Method<Int, String>("configured")
    public static let end = Method<Ending, Int>("end")

    /// What the worker asks its host.
    public static let greet = Method<String, String>("test.greet")

    public struct Addition: Codable, Hashable, Sendable {
        public var left, right: Int

        public init(left: Int, right: Int) {
            self.left = left
            self.right = right
        }
    }

    /// Ways to end that no host asked for.
    public enum Ending: String, Codable, CaseIterable, Sendable {
        /// `listen` is a system call that the filter kills for.
        case exit, exitWithCode, missingValue, abort, fault, allocation, listen, spin
    }
}
