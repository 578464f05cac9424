import AppAttest
import Foundation
import KnownAnswers
import TextForms

extension Row {
    /// What a case is called, for the report.
    var id: String { self["id"].string ?? "case \(index)" }

    func base64(_ key: String) throws -> [UInt8] {
        guard let bytes = Base64.decode(try text(key)) else { throw RowError.missing(key) }
        return bytes
    }

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
        var policy = AppAttestPolicy(appIDs: json["app_ids"].strings.compactMap { AppID($0) })
        if !json["environments"].isNull {
            policy.environments = Set(json["environments"].strings.compactMap(AppAttestEnvironment.init(rawValue:)))
        }
        if !json["allowed_categories"].isNull {
            policy.allowedCategories = Set(
                json["allowed_categories"].array.compactMap(\.int).map { ValidationCategory(rawValue: UInt32($0)) })
        }
        policy.requireCategory = json["require_category"].bool ?? false
        if !json["allowed_bundle_versions"].isNull {
            policy.allowedBundleVersions = Set(json["allowed_bundle_versions"].strings)
        }
        if !json["allowed_code_hashes"].isNull {
            policy.allowedCodeHashes = Set(json["allowed_code_hashes"].array.compactMap(\.hex))
        }
        policy.accessControl = json["access_control"].string == "mac-full-security" ? .macFullSecurity : .ignore
        policy.verifyReceipt = json["verify_receipt"].bool ?? true
        if let seconds = json["receipt_max_age_seconds"].int { policy.receiptMaximumAge = .seconds(seconds) }
        return policy
    }

    /// The anchors that a policy names: Apple's, or those in the folder `minted` beside the folder of the file.
    func anchors() throws -> TrustAnchors {
        guard self["policy"]["roots"].string == "minted", let folder else { return .apple }
        let minted = folder.appending(path: "../minted").standardizedFileURL
        let roots = try ["root.pem", "receipt-root.pem"].map {
            try String(contentsOf: minted.appending(path: $0), encoding: .utf8)
        }
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
