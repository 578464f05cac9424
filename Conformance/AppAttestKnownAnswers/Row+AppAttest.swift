import AppAttest
import Foundation
import KnownAnswers
import TextForms

extension Row {
    func time(_ key: String) throws -> Date {
        guard let time = self[key].date else { throw RowError.missing(key) }
        return time
    }

    func appID(_ key: String) throws -> AppID {
        guard let appID = AppID(try text(key)) else { throw RowError.missing(key) }
        return appID
    }

    /// The policy of a case that must be refused; fields that only attestations have may be absent.
    func policy() throws -> AppAttestPolicy {
        let json = self["policy"]
        func values<Value>(_ key: String, _ read: (String) -> Value?) throws -> [Value] {
            try json[key].strings.map { text in
                guard let value = read(text) else { throw RowError.missing("\(key) \(text)") }
                return value
            }
        }
        var policy = AppAttestPolicy(appIDs: try values("app_ids") { AppID($0) })
        if !json["environments"].isNull {
            policy.environments = Set(try values("environments", AppAttestEnvironment.init(rawValue:)))
        }
        if !json["allowed_categories"].isNull {
            policy.allowedCategories = Set(
                json["allowed_categories"].ints.map { ValidationCategory(rawValue: UInt32($0)) })
        }
        policy.requireCategory = json["require_category"].bool ?? false
        if !json["allowed_bundle_versions"].isNull {
            policy.allowedBundleVersions = Set(json["allowed_bundle_versions"].strings)
        }
        if !json["allowed_code_hashes"].isNull {
            policy.allowedCodeHashes = Set(json["allowed_code_hashes"].hexes)
        }
        if !json["access_control"].isNull {
            policy.accessControl = try Row(json).choice(
                "access_control", ["mac-full-security": .macFullSecurity, "ignore": .ignore])
        }
        policy.verifyReceipt = json["verify_receipt"].bool ?? true
        if let seconds = json["receipt_max_age_seconds"].int { policy.receiptMaximumAge = .seconds(seconds) }
        return policy
    }

    /// The anchors that a policy names: Apple's, or those in the folder `minted` beside the folder of the file.
    func anchors() throws -> TrustAnchors {
        let isMinted = try Row(self["policy"]).choice("roots", ["minted": true, "apple": false])
        guard isMinted else { return .apple }
        let roots = try ["root.pem", "receipt-root.pem"].map { try ownFile.beside("../minted/\($0)").text() }
        return try TrustAnchors(pem: roots.joined(separator: "\n"))
    }

    /// Compares the outcome of a verification with the code and the step of the case.
    mutating func expectOutcome(_ verify: () throws(AppAttestError) -> Void) throws {
        let (code, step) = outcome(verify)
        expect("\(id) code", code, equals: try text("expect"))
        expect("\(id) step", step, equals: try text("step"))
    }

    func outcome(_ verify: () throws(AppAttestError) -> Void) -> (code: String, step: String) {
        do {
            try verify()
            return ("ok", "-")
        } catch {
            return (error.code.rawValue, error.step)
        }
    }
}

extension JSON {
    /// A time as receipts have it.
    var date: Date? { string.flatMap { try? UTCTimestamp(rfc3339: $0, .utc) }.map { Date($0) } }
}
