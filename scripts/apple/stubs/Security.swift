// A stub, see README.md.
import Foundation
import FoundationOfApple

/// Source: developer.apple.com/documentation/security/osstatus
public typealias OSStatus = Int32
public var errSecSuccess: OSStatus { fatalError() }

/// Source: developer.apple.com/documentation/security/secaccesscontrol
public final class SecAccessControl {
    private init() {}
}

/// Source: developer.apple.com/documentation/security/secaccesscontrolcreateflags
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: CFOptionFlags
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }
    public static var userPresence: Self { fatalError() }
    public static var biometryAny: Self { fatalError() }
    public static var biometryCurrentSet: Self { fatalError() }
    public static var devicePasscode: Self { fatalError() }
    public static var or: Self { fatalError() }
    public static var and: Self { fatalError() }
    public static var privateKeyUsage: Self { fatalError() }
    public static var applicationPassword: Self { fatalError() }
}

/// Source: developer.apple.com/documentation/security/secaccesscontrolcreatewithflags(_:_:_:_:)
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { fatalError() }

public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { fatalError() }
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { fatalError() }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { fatalError() }
