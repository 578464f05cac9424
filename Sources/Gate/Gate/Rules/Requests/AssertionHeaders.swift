internal import AppAttest
internal import NIOHTTP1
internal import TextForms
internal import WebSocketFrames

/// The three headers that carry an assertion.
///
/// Source: `appattest-gate` section 3.1.
struct AssertionHeaders: Sendable {
    static let prefix = "x-app-assert-"
    static let maximumKeyIDCharacters = 64
    static let maximumAssertionCharacters = 8_192
    static let deviceTokenName = "X-App-Assert-DeviceToken"

    let keyID: KeyID
    /// The assertion in Base64: decoded only once the nonce is found to be good.
    let assertion: String
    /// The nonce, 32 bytes.
    let nonce: [UInt8]
    /// The token by which Apple knows the device; the assertion covers it.
    let deviceToken: [UInt8]?

    /// Returns nil where no such header stands. A hash chosen by the client is none: it would make the nonce
    /// meaningless.
    init?(_ headers: HTTPHeaders) throws(Refusal) {
        guard
            headers.contains(where: {
                ASCIIText.has($0.name, prefix: Self.prefix)
                    && !HeaderTokens.isEqual($0.name, to: "x-app-assert-clienthash")
            })
        else { return nil }
        let keyID = try Self.value("X-App-Assert-KeyId", headers)
        let assertion = try Self.value("X-App-Assert-Data", headers)
        let nonce = try Self.value("X-App-Assert-Nonce", headers)
        guard keyID.utf8.count <= Self.maximumKeyIDCharacters, let key = KeyID(base64: keyID) else {
            throw Refusal(.malformedHeader, field: "X-App-Assert-KeyId")
        }
        guard assertion.utf8.count <= Self.maximumAssertionCharacters, Base64.hasItsCharacters(assertion) else {
            throw Refusal(.malformedHeader, field: "X-App-Assert-Data")
        }
        guard let nonce = Nonce.bytes(nonce) else { throw Refusal(.malformedHeader, field: "X-App-Assert-Nonce") }
        switch headers.single(Self.deviceTokenName) {
        case .absent: deviceToken = nil
        case .one(let text):
            guard let token = Base64.decode(text), 1...DeviceCheck.maximumTokenBytes ~= token.count else {
                throw Refusal(.malformedHeader, field: "X-App-Assert-DeviceToken")
            }
            deviceToken = token
        case .several: throw Refusal(.malformedHeader, field: "X-App-Assert-DeviceToken")
        }
        self.keyID = key
        self.assertion = assertion
        self.nonce = nonce
    }

    /// The key that a request says it comes from, without any proof. Nil where it names none, or none that can be.
    static func claimedKey(_ headers: HTTPHeaders) -> KeyID? {
        guard case .one(let text) = headers.single("X-App-Assert-KeyId") else { return nil }
        return KeyID(base64: text)
    }

    private static func value(_ name: StaticString, _ headers: HTTPHeaders) throws(Refusal) -> String {
        guard case .one(let value) = headers.single("\(name)"), !value.isEmpty else {
            throw Refusal(.malformedHeader, field: name)
        }
        return value
    }
}
