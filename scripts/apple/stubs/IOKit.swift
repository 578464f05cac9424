// A stub, see README.md.
import Foundation
import FoundationOfApple

// Source: developer.apple.com/documentation/iokit
public typealias io_object_t = mach_port_t
public typealias io_service_t = io_object_t
public typealias io_registry_entry_t = io_object_t
public typealias IOOptionBits = UInt32
public var IO_OBJECT_NULL: io_object_t { fatalError() }
@available(macOS 12, *) public var kIOMainPortDefault: mach_port_t { fatalError() }
public var kIOPlatformUUIDKey: String { fatalError() }
public func IOServiceMatching(_ name: UnsafePointer<CChar>!) -> CFMutableDictionary! { fatalError() }
public func IOServiceGetMatchingService(_ mainPort: mach_port_t, _ matching: CFDictionary!) -> io_service_t {
    fatalError()
}
@discardableResult public func IOObjectRelease(_ object: io_object_t) -> kern_return_t { fatalError() }
public func IORegistryEntryCreateCFProperty(
    _ entry: io_registry_entry_t, _ key: CFString!, _ allocator: CFAllocator!, _ options: IOOptionBits
) -> Unmanaged<CFTypeRef>! { fatalError() }
