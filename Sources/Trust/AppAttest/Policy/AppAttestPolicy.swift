/// Which apps and devices a service admits.
///
///     var policy = AppAttestPolicy(appIDs: [appID])
///     policy.allowedCategories = [.appStore, .testFlight]
///
/// Source: `appattest-gate` sections 1.4, 1.5 and 2.1.
public struct AppAttestPolicy: Hashable, Sendable {
    /// What is asked of the rules by which a device lets the key be used.
    public enum AccessControl: Hashable, Sendable {
        /// Nothing is asked.
        case ignore
        /// The key is bound to a Mac with System Integrity Protection and Full Security. No other device passes.
        case macFullSecurity
    }

    /// The apps that are admitted, at least one.
    public var appIDs: [AppID]
    /// The environments that are admitted.
    public var environments: Set<AppAttestEnvironment> = [.production]
    /// The categories that are admitted; nil for all but those that never are.
    public var allowedCategories: Set<ValidationCategory>?
    /// Refuses devices that say no category: iOS 26 and older.
    public var requireCategory = false
    /// The versions of bundles that are admitted, asked where a version is given; nil for any.
    public var allowedBundleVersions: Set<String>?
    /// SHA-256 of code directories, 32 bytes each. Asked where a hash is given; nil: any.
    public var allowedCodeHashes: Set<[UInt8]>?
    /// What is asked of the rules by which a device lets the key be used.
    public var accessControl: AccessControl = .ignore
    /// Whether the receipt in an attestation is verified too.
    public var verifyReceipt = true
    /// The greatest age of a receipt at registration.
    public var receiptMaximumAge: Duration = .seconds(300)
    /// How far Apple's clock may be ahead of ours.
    public var clockSkew: Duration = .seconds(60)

    /// A policy that admits these apps, in production, of any category and version.
    public init(appIDs: [AppID]) { self.appIDs = appIDs }
}

/// A refusal of what the running app says of itself: step A16 or S7.
struct RunningAppRefusal: Error, Equatable {
    let code: AppAttestError.Code
    let detail: String
}

extension AppAttestPolicy {
    /// The type of code directory hash that is SHA-256.
    private static let sha256Type: UInt8 = 2

    func check(_ extensions: AuthenticatorDataExtensions) throws(RunningAppRefusal) {
        try checkCategory(extensions.category)
        if let allowedBundleVersions, let version = extensions.bundleVersion, !allowedBundleVersions.contains(version) {
            throw RunningAppRefusal(code: .bundleVersionRejected, detail: "the bundle's version is not on the list")
        }
        if let allowedCodeHashes, let hash = extensions.codeDirectoryHash {
            // A part of a hash is evidence of nothing.
            let isWhole = extensions.codeDirectoryHashType == Self.sha256Type && hash.count == 32
            guard isWhole, allowedCodeHashes.contains(hash) else {
                throw RunningAppRefusal(code: .codeHashRejected, detail: "the hash of the code is not on the list")
            }
        }
    }

    private func checkCategory(_ category: ValidationCategory?) throws(RunningAppRefusal) {
        guard let category else {
            if requireCategory {
                throw RunningAppRefusal(
                    code: .validationCategoryRejected, detail: "the device gives no validation category")
            }
            return
        }
        guard !category.isNeverAdmitted, allowedCategories?.contains(category) ?? true else {
            throw RunningAppRefusal(
                code: .validationCategoryRejected, detail: "the validation category \(category.rawValue) is not allowed"
            )
        }
    }
}
