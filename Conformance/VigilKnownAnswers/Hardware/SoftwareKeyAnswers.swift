import HardwareKeys
import KnownAnswers
import SecretMemory

/// Files of software keys: what is in them, and for whom they do not open.
enum SoftwareKeyAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("machineId", "salt", "blob") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content) { row in
            let tag = try KeyTag(row.text("tag"))
            let machine = MachineIdentity(machineID: try row.bytes("machineId"), userID: try row.integer("uid"))
            var outcome = "ok"
            do {
                let key = try SoftwareKeyFile.open(row.secret("blob"), tag: tag, machine: machine)
                let isInside = try row.bytes("blob").contains(row.bytes("nonce"))
                row.expect("nonce is in the file", isInside, equals: true)
                row.expect("public key", key.publicKey, equals: try row.bytes("publicKeyX963"))
                row.expect(
                    "of the private key", SoftwareSigningKey(scalar: try row.secret("privateKey"))?.publicKey,
                    equals: key.publicKey)
                let derived = try machine.key(
                    salt: try row.bytes("salt"), info: SoftwareKeyFile.label + Array(tag.text.utf8))
                row.expect("derived key", derived.revealed, equals: try row.bytes("kek"))
            } catch HardwareKeyError.cannotUnseal {
                outcome = "cannotUnseal"
            } catch HardwareKeyError.malformed {
                outcome = "malformedKeyFile"
            }
            row.expect("outcome", outcome, equals: row["expect"].string ?? "ok")
        }
    }
}
