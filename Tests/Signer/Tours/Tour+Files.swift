import Navigator
import Signer
import TestSupport
import TextForms

@testable import Screens
@testable import SignerCore

/// What is looked at without being scanned: payloads, files of metadata, a long log, what is let pass.
extension Tour {
    func look() throws -> [Page] {
        let window = try Window(names)
        try window.recoverAlice()
        try payloads(in: window)
        try metadata(in: window)
        try log(in: window)
        try policy(in: window)
        return window.seen
    }

    private func payloads(in window: Window) throws {
        let payload = WestendPayload.transaction(WestendPayload.transfer(3))
        try window.press("Scan")
        try window.press("read-payload", ["payload": "no hex"])
        try Tour.check(window.refusal != nil && window.page.position == Position(.scan))
        try window.press("read-payload", ["payload": " 0x\(payload)\n"])
        try Tour.check(window.page.position == Position(.transaction))
        try window.press("refuse")
        try window.open("open-payload", payload)
        try Tour.check(window.page.position == Position(.transaction))
        try window.press("refuse")
    }

    private func metadata(in window: Window) throws {
        let network = try Tour.found(NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
        let blob = try Tour.found(network.metadata.first)
        try window.press("Settings")
        try window.press("networks")
        try window.press("metadata-files")
        try window.open("open-metadata", "53ff")
        try window.press("dismiss")
        try window.open("open-metadata", Hex.encode(blob))
        try Tour.check(window.page.plain.contains("Metadata hash, which the chain checks"), window.page.plain)
        try window.press("compute", ["decimals": "many"])
        try window.press("dismiss")
        try window.press("compute", ["decimals": "10", "unit": "DOT", "address-prefix": "0"])
        try Tour.check(window.page.plain.contains("10 decimals, token DOT"), window.page.plain)
        try window.press("compute")
        try window.press("lean")
        try window.press("close")
        try window.press("prove", ["payload": WestendPayload.proxy.replacing("53", with: "54")])
        try window.press("dismiss")
        try window.open("open-payload", WestendPayload.transaction(WestendPayload.transfer(3)))
        try Tour.check(window.page.position == Position(.metadataFiles, modal: .madeFile), window.page.plain)
        guard case .window(.save(let proof))? = window.page.activeControls.first(where: { $0.id == "save" })?.message
        else { throw Tour.Lost(description: "no proof") }
        try window.press("close")
        try window.open("open-proof", "00")
        try window.press("dismiss")
        try window.open("open-proof", Hex.encode(proof.bytes))
        try Tour.check(window.page.plain.contains("True of these metadata"), window.page.plain)
        let other = String(repeating: "0", count: 64)
        try window.press("compare", ["wanted": other])
        try window.press("dismiss")
        let told = window.page.plain
        try Tour.check(!told.contains("True of") && told.contains("Not of the hash that you gave"), told)
        try Tour.check(told.contains("0x" + other), told)
        try window.press("back")
        try window.press("metadata-files")
        try window.open("open-proof", Hex.encode(proof.bytes))
        let hash = try Tour.found(window.page.activeRows.first { $0.id == "proof-hash" }?.value).plain
        try window.press("compare", ["wanted": hash])
        try Tour.check(window.page.plain.contains("True of the hash that you gave"), window.page.plain)
        try window.press("back")
        try window.press("back")
    }

    private func log(in window: Window) throws {
        let vault = try Tour.found(try window.host.openVault())
        let earlier = try vault.verifyLog().digest
        for number in 1...45 { try vault.addComment("note \(number)") }
        try window.press("Log")
        try window.press("older")
        try window.press("older")
        try Tour.check(window.page.title.plain == "Log, page 3")
        try window.press("newer")
        try window.press("show-entry", ["entry": "1"])
        try window.press("back")
        try Tour.check(window.page.title.plain == "Log, page 2")
        try window.press("menu")
        try window.press("compare", ["earlier": "no digest"])
        try window.press("dismiss")
        try window.press("compare", ["earlier": String(repeating: "0", count: 64)])
        try window.press("dismiss")
        try window.press("compare", ["earlier": Hex.encode(earlier)])
        try Tour.check(window.page.plain.contains("It has only grown"), window.page.plain)
        try window.press("close")
    }

    private func policy(in window: Window) throws {
        try window.press("Settings")
        try window.press("network-policy")
        try window.press("change", ["ignore-radios": "true"], secrets: ["credential": ""])
        try Tour.check(window.page.plain.contains("Not everything counts"), window.page.plain)
        try window.press("change", ["ignore-gadgets": "true", "network-allowed": "true"])
        try Tour.check(window.page.plain.contains("Secrets are used on a connected machine"), window.page.plain)
        try window.setDetector(.connected)
        try window.press("shield")
        try window.press("dismiss")
        try window.press("strict")
        try Tour.check(window.page.plain.contains("Strict"), window.page.plain)
        try window.setDetector(.safe)
        try window.press("back")
    }
}
