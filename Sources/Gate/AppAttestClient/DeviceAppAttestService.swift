#if canImport(DeviceCheck)
    import DeviceCheck
    import Foundation

    /// Apple's service of this device.
    @available(macOS 11, iOS 14, tvOS 15, watchOS 9, *)
    public struct DeviceAppAttestService: AppAttestService {
        /// The service of this device, whether it can attest or not.
        public init() {}

        /// Whether this device can attest.
        public static var isSupported: Bool { DCAppAttestService.shared.isSupported }

        /// Makes a key in the Secure Enclave.
        public func generateKey() async throws(AppAttestServiceError) -> String {
            guard Self.isSupported else { throw .notSupported }
            do { return try await DCAppAttestService.shared.generateKey() } catch { throw Self.reason(error) }
        }

        /// Has Apple attest a key.
        public func attest(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
            guard Self.isSupported else { throw .notSupported }
            do {
                return Array(
                    try await DCAppAttestService.shared.attestKey(keyID, clientDataHash: Data(clientDataHash)))
            } catch {
                throw Self.reason(error)
            }
        }

        /// Signs with an attested key.
        public func assert(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
            guard Self.isSupported else { throw .notSupported }
            do {
                return Array(
                    try await DCAppAttestService.shared.generateAssertion(keyID, clientDataHash: Data(clientDataHash)))
            } catch {
                throw Self.reason(error)
            }
        }

        private static func reason(_ error: any Error) -> AppAttestServiceError {
            switch (error as? DCError)?.code {
            case .featureUnsupported: .notSupported
            case .invalidKey: .invalidKey
            case .serverUnavailable: .unavailable
            default: .failed("\(error)")
            }
        }
    }

    /// DeviceCheck of this device.
    @available(macOS 11, iOS 14, tvOS 15, watchOS 9, *)
    public struct DeviceCheckTokenService: DeviceTokenService {
        /// DeviceCheck of this device, whether it is supported or not.
        public init() {}

        /// Makes a token for one use.
        public func deviceToken() async throws(AppAttestServiceError) -> [UInt8] {
            guard DCDevice.current.isSupported else { throw .notSupported }
            do { return Array(try await DCDevice.current.generateToken()) } catch {
                if (error as? DCError)?.code == .serverUnavailable { throw AppAttestServiceError.unavailable }
                throw AppAttestServiceError.failed("\(error)")
            }
        }
    }
#endif
