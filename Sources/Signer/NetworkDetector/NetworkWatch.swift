/// Pushes what the probes of a system find, as soon as it changes.
///
///     let watch = try SystemNetwork.watch()
///     // ... wait until watch.descriptor is readable ...
///     while let report = watch.nextReport() { handle(detector.take(report.reading(by: policy))) }
///
/// Nothing is asked in intervals: a connection that lasted a moment is reported all the same.
public protocol NetworkWatch: Sendable {
    /// Readable as long as there are reports. Not to be read or closed.
    var descriptor: CInt { get }

    /// Takes the oldest report that nobody took yet. The first one comes without any change.
    func nextReport() -> NetworkReport?

    /// Looks now. What it finds is reported too, behind what was found before.
    func look()
}

/// Why no network can be watched: taken for a probe that cannot be read.
public struct NetworkWatchError: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String
}

/// The watch of the system that this runs on.
public enum SystemNetwork {
    public static func watch() throws(NetworkWatchError) -> any NetworkWatch {
        #if os(Linux)
            try KernelWatch()
        #elseif canImport(Network)
            try PathWatch(PathMonitor())
        #else
            throw NetworkWatchError(description: "This system tells nothing of its networks.")
        #endif
    }

    /// Looks at the network namespace that the calling thread is in.
    ///
    /// - Returns: nil where there is no such thing.
    /// - Throws: ``NetworkWatchError`` where it cannot be told, or is told in two ways.
    package static func ownNamespace() throws(NetworkWatchError) -> NetworkNamespace? {
        #if os(Linux)
            try NetworkNamespace.own()
        #else
            nil
        #endif
    }
}

extension NetworkDetector {
    /// Takes what a watch has reported, then looks once more, as is due before everything guarded.
    ///
    /// - Returns: what is to be logged, in order.
    public mutating func follow(_ watch: some NetworkWatch, by policy: NetworkPolicy) -> [Event] {
        watch.look()
        var events: [Event] = []
        while let report = watch.nextReport() { events += take(report.reading(by: policy)) }
        return events
    }
}
