import AppAttest
import AppAttestTestKit
import Crypto
import Foundation
import TextForms

// bench-gate-devices AUTHORITY APP_ID
//
// Many devices under the test authority of `gate mint-test-ca`. Reads lines of a device's number and a nonce in hex.
// For the first nonce of a device it prints the body of its registration, for each later one the header fields of an
// assertion, all in one line with a tab between them.

struct Devices {
    let authority: TestAuthority
    let appID: AppID
    let now: Date
    var devices: [Int: (key: TestKey, id: String, signCount: UInt32)] = [:]

    mutating func answer(_ number: Int, nonce: String, hash: [UInt8]) throws -> String {
        guard var device = devices[number] else { return try register(number, nonce, hash) }
        device.signCount += 1
        devices[number] = device
        let recipe = AssertionRecipe(appID: appID, key: device.key, clientDataHash: hash, signCount: device.signCount)
        let fields = [("KeyId", device.id), ("Data", Base64.encode(try recipe.mint())), ("Nonce", nonce)]
        return fields.map { "X-App-Assert-\($0): \($1)" }.joined(separator: "\t")
    }

    private mutating func register(_ number: Int, _ nonce: String, _ hash: [UInt8]) throws -> String {
        let recipe = AttestationRecipe(appID: appID, clientDataHash: hash, at: now)
        let minted = try recipe.mint(by: authority)
        devices[number] = (recipe.credentialKey, minted.keyID, 0)
        return #"{"keyId":"\#(minted.keyID)","attestation":"\#(Base64.encode(minted.bytes))","clientData":"\#(nonce)"}"#
    }
}

guard CommandLine.arguments.count == 3, let appID = AppID(CommandLine.arguments[2]) else {
    print("usage: bench-gate-devices AUTHORITY APP_ID")
    exit(64)
}
let folder = CommandLine.arguments[1]
var devices = Devices(
    authority: try TestAuthority(reading: { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }),
    appID: appID, now: Date())
while let line = readLine() {
    let words = line.split(separator: " ")
    guard words.count == 2, let number = Int(words[0]), let nonce = Hex.decode(words[1]) else {
        print("not a number and a nonce: \(line)")
        exit(65)
    }
    let answer = try devices.answer(number, nonce: String(words[1]), hash: Array(SHA256.hash(data: nonce)))
    // At once: whoever asks waits for it.
    FileHandle.standardOutput.write(Data((answer + "\n").utf8))
}
