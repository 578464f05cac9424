// A stub, see README.md: what Foundation, CoreFoundation and Dispatch have on Apple's platforms and not here.
@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import FoundationNetworking

// MARK: Core Foundation, by the names of the classes that its types are bridged to

public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFOptionFlags = UInt
public final class CFAllocator {
    private init() {}
}
public final class CFError: Error, @unchecked Sendable {
    private init() {}
}
public var kCFAllocatorDefault: CFAllocator! { fatalError() }

#if os(macOS)
    // MARK: XPC

    /// Source: developer.apple.com/documentation/foundation/nsxpcinterface
    open class NSXPCInterface: NSObject {
        public init(with protocol: Any.Type) { fatalError() }
    }

    /// Source: developer.apple.com/documentation/foundation/nsxpcconnection
    open class NSXPCConnection: NSObject {
        public init(serviceName: String) { fatalError() }
        open var remoteObjectInterface: NSXPCInterface? {
            get { fatalError() }
            set { fatalError() }
        }
        open var exportedInterface: NSXPCInterface? {
            get { fatalError() }
            set { fatalError() }
        }
        open var exportedObject: Any? {
            get { fatalError() }
            set { fatalError() }
        }
        open var invalidationHandler: (() -> Void)? {
            get { fatalError() }
            set { fatalError() }
        }
        open var interruptionHandler: (() -> Void)? {
            get { fatalError() }
            set { fatalError() }
        }
        open var processIdentifier: pid_t { fatalError() }
        open var effectiveUserIdentifier: uid_t { fatalError() }
        open var effectiveGroupIdentifier: gid_t { fatalError() }
        open func remoteObjectProxyWithErrorHandler(_ handler: @escaping @Sendable (any Error) -> Void) -> Any {
            fatalError()
        }
        @available(macOS 13, *) open func setCodeSigningRequirement(_ requirement: String) { fatalError() }
        open func resume() { fatalError() }
        open func invalidate() { fatalError() }
    }

    /// Source: developer.apple.com/documentation/foundation/nsxpclistener
    open class NSXPCListener: NSObject {
        open class func service() -> NSXPCListener { fatalError() }
        open var delegate: (any NSXPCListenerDelegate)? {
            get { fatalError() }
            set { fatalError() }
        }
        open func resume() { fatalError() }
    }

    /// Source: developer.apple.com/documentation/foundation/nsxpclistenerdelegate
    public protocol NSXPCListenerDelegate: NSObjectProtocol {
        func listener(_ listener: NSXPCListener, shouldAcceptNewConnection newConnection: NSXPCConnection) -> Bool
    }
#endif

// MARK: Foundation

/// Source: developer.apple.com/documentation/foundation/url/applicationsupportdirectory
extension URL {
    @available(macOS 13, iOS 16, *)
    public static var applicationSupportDirectory: URL { fatalError() }
}

/// Source: developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
}

// MARK: Dispatch

/// Source: developer.apple.com/documentation/dispatch/dispatchsourcefilesystemobject
public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol, AnyObject {
    var handle: Int32 { get }
    var data: DispatchSource.FileSystemEvent { get }
    var mask: DispatchSource.FileSystemEvent { get }
}

/// Source: developer.apple.com/documentation/dispatch/dispatchsource
extension DispatchSource {
    public class func makeFileSystemObjectSource(
        fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue? = nil
    ) -> any DispatchSourceFileSystemObject { fatalError() }
}
