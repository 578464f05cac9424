/// Why the gate says no, as its clients read it.
///
/// Source: `appattest-gate` section 3.2.
enum RefusalCode: String, Sendable, CaseIterable {
    case malformedJSON = "malformed_json"
    case missingField = "missing_field"
    case malformedField = "malformed_field"
    case malformedHeader = "malformed_header"
    case malformedHandshake = "malformed_handshake"
    case appAuthRequired = "app_auth_required"
    case nonceInvalid = "nonce_invalid"
    case unknownKey = "unknown_key"
    case assertionRejected = "assertion_rejected"
    case keyRevoked = "key_revoked"
    case attestationRejected = "attestation_rejected"
    case originNotAllowed = "origin_not_allowed"
    case pathNotAllowed = "path_not_allowed"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case requestTimeout = "request_timeout"
    case bodyTooLarge = "body_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case upgradeRequired = "upgrade_required"
    case webSocketVersion = "websocket_version"
    case rateLimited = "rate_limited"
    case headersTooLarge = "headers_too_large"
    case upstreamUnreachable = "upstream_unreachable"
    case upstreamRefused = "upstream_refused"
    case upstreamTimeout = "upstream_timeout"
    case draining
    case overloaded
    case storeUnavailable = "store_unavailable"
    case attestationUnavailable = "attestation_unavailable"
    case operatorTokenRequired = "operator_token_required"
    case accountBanned = "account_banned"
    case tooManyAccounts = "too_many_accounts"
    case accountsOff = "accounts_off"
    case deviceBanned = "device_banned"
    case deviceTokenRequired = "device_token_required"
    case deviceTokenRejected = "device_token_rejected"
    case deviceCheckUnavailable = "device_check_unavailable"

    var status: Int {
        switch self {
        case .malformedJSON, .missingField, .malformedField, .malformedHeader, .malformedHandshake: 400
        case .appAuthRequired, .nonceInvalid, .unknownKey, .assertionRejected, .keyRevoked, .operatorTokenRequired: 401
        case .attestationRejected, .originNotAllowed, .pathNotAllowed, .accountBanned, .tooManyAccounts,
            .deviceBanned, .deviceTokenRequired, .deviceTokenRejected:
            403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .accountsOff: 409
        case .bodyTooLarge: 413
        case .unsupportedMediaType: 415
        case .upgradeRequired, .webSocketVersion: 426
        case .rateLimited: 429
        case .headersTooLarge: 431
        case .upstreamUnreachable, .upstreamRefused: 502
        case .draining, .overloaded, .storeUnavailable, .attestationUnavailable, .deviceCheckUnavailable: 503
        case .upstreamTimeout: 504
        }
    }

    /// A short description in English, for people.
    var text: StaticString {
        switch self {
        case .malformedJSON: "The body is not a JSON object that follows the rules."
        case .missingField: "A member of the body is missing."
        case .malformedField: "A member of the body has no valid value."
        case .malformedHeader: "A part of the request's head is missing, repeated or malformed."
        case .malformedHandshake: "This is not a WebSocket handshake."
        case .appAuthRequired: "An assertion of a registered app is required."
        case .nonceInvalid: "The nonce is unknown, expired or used. Fetch a new challenge."
        case .unknownKey: "The key is not registered. Register again."
        case .assertionRejected: "The assertion was rejected."
        case .keyRevoked: "The key was revoked."
        case .attestationRejected: "The attestation was rejected."
        case .originNotAllowed: "The origin is not allowed."
        case .pathNotAllowed: "The path is not allowed."
        case .notFound: "There is nothing here."
        case .methodNotAllowed: "The method is not allowed here."
        case .requestTimeout: "The request took too long."
        case .bodyTooLarge: "The body is too large."
        case .unsupportedMediaType: "The body has to be application/json."
        case .upgradeRequired: "This is a WebSocket."
        case .webSocketVersion: "Only version 13 of WebSocket is spoken."
        case .rateLimited: "Too many requests. Try again later."
        case .headersTooLarge: "The request's head is too large."
        case .upstreamUnreachable: "The service behind the gate cannot be reached."
        case .upstreamRefused: "The service behind the gate refused the connection."
        case .upstreamTimeout: "The service behind the gate did not answer in time."
        case .draining: "The gate is about to stop. Connect again."
        case .overloaded: "The gate has no room. Try again later."
        case .storeUnavailable: "The gate cannot check keys now. Try again later."
        case .attestationUnavailable: "The gate cannot verify attestations now. Try again later."
        case .operatorTokenRequired: "The operator's token is required."
        case .accountBanned: "The account is banned."
        case .tooManyAccounts: "The device was used with too many accounts."
        case .deviceBanned: "The device is banned."
        case .deviceTokenRequired: "A DeviceCheck token of the device is required."
        case .deviceTokenRejected: "Apple does not take the DeviceCheck token. Make a new one."
        case .deviceCheckUnavailable: "The gate cannot ask Apple about devices now. Try again later."
        case .accountsOff: "Keys are not bound to accounts here (ACCOUNT_BINDING)."
        }
    }
}
