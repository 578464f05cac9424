// A stub, see README.md.
import Dispatch

/// Source: developer.apple.com/documentation/network/nwpathmonitor
@available(macOS 10.14, iOS 12, *)
public final class NWPathMonitor: Sendable {
    public init() { fatalError() }
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { fatalError() }
        set { fatalError() }
    }
    public var currentPath: NWPath {
        get { fatalError() }
        set { fatalError() }
    }
    public func start(queue: DispatchQueue) { fatalError() }
    public func cancel() { fatalError() }
}

/// Source: developer.apple.com/documentation/network/nwpath
@available(macOS 10.14, iOS 12, *)
public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

    public var status: Status { fatalError() }
    public var availableInterfaces: [NWInterface] { fatalError() }
    public static func == (left: NWPath, right: NWPath) -> Bool { fatalError() }
}

/// Source: developer.apple.com/documentation/network/nwinterface
@available(macOS 10.14, iOS 12, *)
public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Sendable { case other, wifi, cellular, wiredEthernet, loopback }

    public var type: InterfaceType { fatalError() }
    public var name: String { fatalError() }
    public var index: Int { fatalError() }
}
