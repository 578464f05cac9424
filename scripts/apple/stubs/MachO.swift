// A stub, see README.md.
import Darwin

// Source: dyld(3), and developer.apple.com/documentation/kernel/mach_header
public struct mach_header {
    public var magic: UInt32 { fatalError() }
}

public func _dyld_image_count() -> UInt32 { fatalError() }
public func _dyld_get_image_name(_ index: UInt32) -> UnsafePointer<CChar>! { fatalError() }
public func _dyld_get_image_header(_ index: UInt32) -> UnsafePointer<mach_header>! { fatalError() }
