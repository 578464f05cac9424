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

#if os(macOS)
    // MARK: Code signing, of macOS alone. Source: developer.apple.com/documentation/security/code-signing-services

    public final class SecCode {
        private init() {}
    }

    public final class SecStaticCode {
        private init() {}
    }

    public final class SecRequirement {
        private init() {}
    }

    public struct SecCSFlags: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    public var kSecCSSigningInformation: UInt32 { fatalError() }
    public var kSecGuestAttributeAudit: CFString { fatalError() }
    public var kSecGuestAttributePid: CFString { fatalError() }
    public var kSecCodeInfoUnique: CFString { fatalError() }

    public func SecCodeCopyGuestWithAttributes(
        _ host: SecCode?, _ attributes: CFDictionary?, _ flags: SecCSFlags, _ guest: UnsafeMutablePointer<SecCode?>
    ) -> OSStatus { fatalError() }
    public func SecRequirementCreateWithString(
        _ text: CFString, _ flags: SecCSFlags, _ requirement: UnsafeMutablePointer<SecRequirement?>
    ) -> OSStatus { fatalError() }
    public func SecCodeCheckValidity(
        _ code: SecCode, _ flags: SecCSFlags, _ requirement: SecRequirement?
    ) -> OSStatus { fatalError() }
    public func SecCodeCopyStaticCode(
        _ code: SecCode, _ flags: SecCSFlags, _ staticCode: UnsafeMutablePointer<SecStaticCode?>
    ) -> OSStatus { fatalError() }
    public func SecCodeCopySigningInformation(
        _ code: SecStaticCode, _ flags: SecCSFlags, _ information: UnsafeMutablePointer<CFDictionary?>
    ) -> OSStatus { fatalError() }
#endif
