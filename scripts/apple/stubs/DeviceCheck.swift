// A stub, see README.md.
import Foundation

/// Source: developer.apple.com/documentation/devicecheck/dcappattestservice
@available(macOS 11, iOS 14, *)
open class DCAppAttestService: NSObject {
    open class var shared: DCAppAttestService { fatalError() }
    open var isSupported: Bool { fatalError() }
    nonisolated(nonsending) open func generateKey() async throws -> String { fatalError() }
    nonisolated(nonsending) open func attestKey(_ keyId: String, clientDataHash: Data) async throws -> Data {
        fatalError()
    }
    nonisolated(nonsending) open func generateAssertion(_ keyId: String, clientDataHash: Data) async throws -> Data {
        fatalError()
    }
}

/// Source: developer.apple.com/documentation/devicecheck/dcdevice
@available(macOS 10.15, iOS 11, *)
open class DCDevice: NSObject {
    open class var current: DCDevice { fatalError() }
    open var isSupported: Bool { fatalError() }
    nonisolated(nonsending) open func generateToken() async throws -> Data { fatalError() }
}

/// Source: developer.apple.com/documentation/devicecheck/dcerror-swift.struct
@available(macOS 10.15, iOS 11, *)
public struct DCError: Error {
    public enum Code: Int, Sendable {
        case unknownSystemFailure, featureUnsupported, invalidInput, invalidKey, serverUnavailable
    }

    public var code: Code { fatalError() }
}
