// A stub, see README.md.
import Foundation

/// Source: developer.apple.com/documentation/localauthentication/lacontext
open class LAContext: NSObject {
    open var localizedReason: String {
        get { fatalError() }
        set { fatalError() }
    }
    open var localizedFallbackTitle: String? {
        get { fatalError() }
        set { fatalError() }
    }
    open var interactionNotAllowed: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    open func invalidate() { fatalError() }
}

/// Source: developer.apple.com/documentation/localauthentication/laerror-swift.struct
public struct LAError: Error {
    public enum Code: Int, Sendable {
        case authenticationFailed, userCancel, userFallback, systemCancel, passcodeNotSet, biometryNotAvailable
        case biometryNotEnrolled, biometryLockout, appCancel, invalidContext, biometryNotPaired, biometryDisconnected
        case invalidDimensions, notInteractive, companionNotAvailable
    }

    public var code: Code { fatalError() }
}
