#if canImport(CTSS2)
    import Crypto
    import Foundation
    import SecretMemory
    import Synchronization
    import TestSupport
    import Testing

    @testable import HardwareKeys

    /// Counts what goes by a relay.
    private final class Count: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }

    /// The Name of an index that went by a relay.
    private final class Name: Sendable {
        let value = Mutex<[UInt8]>([])
    }

    @Suite("Which TPM it is", .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools))
    struct TPMIdentityTests {
        @Test("the endorsement key is the one that the TPM's own tools make, the storage key the one that seals")
        func names() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let identity = try tpm.identity()
            try simulator.run("tpm2_createek", "-G", "ecc", "-c", "ek.ctx", "-u", "ek.pub")
            try simulator.run("tpm2_readpublic", "-c", "ek.ctx", "-n", "ek.name")
            #expect(identity.endorsementKey == Array(try Data(contentsOf: simulator.folder.appending(path: "ek.name"))))
            #expect(identity.storageKey == (try tpm.seal(secret(of: 1), auth: nil, policy: .authorisation)).parentName)
            #expect(try tpm.identity() == identity)
        }

        @Test("clearing the TPM changes its storage key only; another TPM has neither")
        func others() throws {
            let simulator = try SoftwareTPM()
            let before = try simulator.open().identity()
            let another = try SoftwareTPM()
            let other = try withExtendedLifetime(another) { try another.open().identity() }
            #expect(other.endorsementKey != before.endorsementKey && other.storageKey != before.storageKey)
            try simulator.run("tpm2_clear", "-c", "platform")
            let after = try simulator.open().identity()
            #expect(after.endorsementKey == before.endorsementKey && after.storageKey != before.storageKey)
            #expect(!after.isSame(as: before) && !other.isSame(as: before) && before.isSame(as: before))
        }

        @Test("where the endorsement hierarchy has an authorisation, the storage key tells alone")
        func noEndorsement() throws {
            let simulator = try SoftwareTPM()
            let before = try simulator.open().identity()
            try simulator.run("tpm2_changeauth", "-c", "endorsement", "secret")
            let after = try simulator.open().identity()
            #expect(after.endorsementKey == nil && after.storageKey == before.storageKey)
            #expect(after.isSame(as: before) && before.isSame(as: after))
        }

        @Test("a TPM that is full is not taken for one without an endorsement key")
        func full() throws {
            let simulator = try SoftwareTPM()
            let before = try simulator.open().identity()
            // So that the endorsement key is the only one that has to be made.
            try TPMStorageKeyTests.makePersistent(simulator.open())
            try TPMStorageKeyTests.fill(simulator.open())
            #expect(throws: HardwareKeyError.unexpectedResponse(command: "CreatePrimary", code: 0x902)) {
                try simulator.open().identity()
            }
            try simulator.run("tpm2_flushcontext", "-t")
            #expect(try simulator.open().identity() == before)
        }

        @Test("another endorsement key with the same storage key is another TPM")
        func otherEndorsement() {
            let (one, other) = ([UInt8](repeating: 1, count: 34), [UInt8](repeating: 2, count: 34))
            let known = TPMIdentity(endorsementKey: one, storageKey: one)
            #expect(!TPMIdentity(endorsementKey: other, storageKey: one).isSame(as: known))
            #expect("\(known)" == "endorsement key 0101010101010101, storage key 0101010101010101")
        }

        @Test("what an index holds is not taken from somebody in between, where the TPM is known")
        func relayed() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let counter = try tpm.defineCounter(auth: secret(of: 1))
            let pin = try tpm.definePINIndex(auth: secret(of: 2), limit: 4)
            let name = try tpm.identity().storageKey
            #expect(try tpm.pinned(to: name).readCounter(counter.index) == counter.value)
            #expect(try tpm.pinned(to: name).pinAttempts(pin).limit == 4)
            let relay = try TPMRelay(
                before: simulator,
                onAnswer: { command, answer in Self.forge(command, &answer) { $0[7] ^= 2 } })
            let relayed = try TPM(at: TPMAddress(tcti: relay.tcti))
            #expect(try relayed.readCounter(counter.index) == counter.value ^ 2)
            #expect(throws: HardwareKeyError.self) { try relayed.pinned(to: name).readCounter(counter.index) }
            withExtendedLifetime(relay) {}
        }

        @Test(
            "what no counter can hold is refused, also where anybody is believed",
            arguments: [0, .max, 1 << 63 - 1] as [UInt64])
        func impossibleValue(value: UInt64) throws {
            let simulator = try SoftwareTPM()
            let counter = try simulator.open().defineCounter(auth: secret(of: 1))
            let forged = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
            let relay = try TPMRelay(
                before: simulator,
                onAnswer: { command, answer in Self.forge(command, &answer) { $0 = forged } })
            let relayed = try TPM(at: TPMAddress(tcti: relay.tcti))
            #expect(throws: HardwareKeyError.unexpectedResponse(command: "NV_Read", code: 0)) {
                try relayed.readCounter(counter.index)
            }
            withExtendedLifetime((relay, simulator)) {}
        }

        /// Changes the answer to TPM2_NV_Read, with the code of a session that has no key: head 10, size of parameters
        /// 4, of the content 2, content 8; then of the first session nonce 2 + 32, attributes 1, code 2 + 32. The
        /// command has head 10, handles 8, size 4, and of that session handle 4, nonce 2 + 32.
        private static func forge(
            _ command: [UInt8], _ answer: inout [UInt8], by change: (inout [UInt8]) -> Void
        ) {
            guard TPMRelay.code(command) == 0x14e, TPMRelay.code(answer) == 0, answer.count >= 93, command.count >= 60
            else { return }
            var content = Array(answer[16..<24])
            change(&content)
            answer.replaceSubrange(16..<24, with: content)
            let parameters = SHA256.hash(data: answer[6..<10] + command[6..<10] + answer[14..<24])
            let signed = Array(parameters) + answer[26..<58] + command[28..<60] + answer[58..<59]
            let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: [UInt8]()))
            answer.replaceSubrange(61..<93, with: Array(code))
        }

        /// Defines 0x01500001, an ordinary index of a counter's policy and size: it holds what its owner wrote, 99.
        private static func defineOther(in simulator: SoftwareTPM, like index: UInt32) throws {
            try Data(TPMIndex.counter(index).authPolicy).write(to: simulator.folder.appending(path: "policy"))
            try Data([0, 0, 0, 0, 0, 0, 0, 99]).write(to: simulator.folder.appending(path: "content"))
            try simulator.run(
                "tpm2_nvdefine", "0x01500001", "-C", "o", "-s", "8", "-L", "policy", "-a",
                "ownerwrite|policyread|no_da")
            try simulator.run("tpm2_nvwrite", "0x01500001", "-C", "o", "-i", "content")
        }

        @Test("what an index holds is not taken from another index, whoever swaps them on the way", arguments: 1...3)
        func swapped(turn: Int) throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let (index, value) = try tpm.defineCounter(auth: secret(of: 1))
            try Self.defineOther(in: simulator, like: index)
            let name = try tpm.identity().storageKey
            let looks = Count()
            let relay = try TPMRelay(
                before: simulator,
                onCommand: { command in
                    let own = (0..<4).map { UInt8(truncatingIfNeeded: index >> (24 - 8 * $0)) }
                    let other: [UInt8] = [0x01, 0x50, 0x00, 0x01]
                    switch TPMRelay.code(command) {
                    case 0x169 where Array(command[10..<14]) == own:
                        if looks.next() == turn { command.replaceSubrange(10..<14, with: other) }
                    case 0x14e where Array(command[14..<18]) == own:
                        command.replaceSubrange(10..<18, with: other + other)
                    default: break
                    }
                    return nil
                })
            let pinned = try TPM(at: TPMAddress(tcti: relay.tcti)).pinned(to: name)
            #expect(throws: HardwareKeyError.self) {
                let read = try pinned.readCounter(index)
                #expect(read == value)
            }
            withExtendedLifetime(relay) {}
        }

        @Test("no index is read, written or removed by the Name of another one that was put beside its own area")
        func foreignName() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let (index, value) = try tpm.defineCounter(auth: secret(of: 1))
            let pin = try tpm.definePINIndex(auth: secret(of: 2), limit: 4)
            try Self.defineOther(in: simulator, like: index)
            // The answer to TPM2_NV_ReadPublic ends with the Name, of 34 bytes, where no session goes along.
            let heard = Name()
            let listener = try TPMRelay(
                before: simulator,
                onAnswer: { command, answer in
                    guard Self.isPublic(command, answer) else { return }
                    let name = Array(answer.suffix(34))
                    heard.value.withLock { $0 = name }
                })
            _ = try? TPM(at: TPMAddress(tcti: listener.tcti)).readCounter(0x0150_0001)
            let name = heard.value.withLock { $0 }
            try #require(name.count == 34)
            let other: [UInt8] = [0x01, 0x50, 0x00, 0x01]
            let relay = try TPMRelay(
                before: simulator,
                onCommand: { command in
                    // Whatever is done with an index is done with the other one: read, written, incremented, removed.
                    switch TPMRelay.code(command) {
                    case 0x14e, 0x137, 0x134: command.replaceSubrange(10..<18, with: other + other)
                    case 0x122: command.replaceSubrange(14..<18, with: other)
                    default: break
                    }
                    return nil
                },
                onAnswer: { command, answer in
                    guard Self.isPublic(command, answer) else { return }
                    answer.replaceSubrange((answer.count - 34)..., with: name)
                })
            let pinned = try TPM(at: TPMAddress(tcti: relay.tcti)).pinned(to: tpm.identity().storageKey)
            let refused = HardwareKeyError.unavailable(.otherHardware)
            #expect(throws: refused) { try pinned.readCounter(index) }
            #expect(throws: refused) { try pinned.pinAttempts(pin) }
            #expect(throws: refused) { try pinned.undefine(index) }
            #expect(throws: refused) { try pinned.definePINIndex(auth: secret(of: 3), limit: 4) }
            withExtendedLifetime((relay, listener)) {}
            #expect(try tpm.pinned(to: tpm.identity().storageKey).readCounter(index) == value)
        }

        /// Whether it is an answer to TPM2_NV_ReadPublic outside of sessions.
        @Sendable private static func isPublic(_ command: [UInt8], _ answer: [UInt8]) -> Bool {
            TPMRelay.code(command) == 0x169 && TPMRelay.code(answer) == 0 && answer.count > 44 && answer[1] == 1
        }

        @Test("that an index is gone is not taken from somebody in between, where the TPM is known")
        func denied() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let (index, value) = try tpm.defineCounter(auth: secret(of: 1))
            let name = try tpm.identity().storageKey
            for forged in [0x169, 0x14e] as [UInt32] {
                let relay = try TPMRelay(
                    before: simulator,
                    onAnswer: { command, answer in
                        if TPMRelay.code(command) == forged { answer = TPMRelay.answer(0x18b) }
                    })
                let relayed = try TPM(at: TPMAddress(tcti: relay.tcti))
                let gone = HardwareKeyError.dead(index: index)
                #expect(throws: gone) { try relayed.readCounter(index) }
                #expect { try relayed.pinned(to: name).readCounter(index) } throws: { $0 as? HardwareKeyError != gone }
                guard forged == 0x169 else { continue }
                #expect { try relayed.pinned(to: name).undefine(index) } throws: { $0 as? HardwareKeyError != gone }
                withExtendedLifetime(relay) {}
            }
            #expect(try tpm.pinned(to: name).readCounter(index) == value)
            try tpm.pinned(to: name).undefine(index)
            #expect(throws: HardwareKeyError.dead(index: index)) { try tpm.pinned(to: name).readCounter(index) }
            #expect(throws: HardwareKeyError.dead(index: index)) { try tpm.pinned(to: name).undefine(index) }
            // Something else at its handle is no counter, and that is proven too.
            try simulator.run(
                "tpm2_nvdefine", "0x" + String(index, radix: 16), "-C", "o", "-s", "8", "-a", "ownerwrite|ownerread")
            #expect(throws: HardwareKeyError.dead(index: index)) { try tpm.pinned(to: name).readCounter(index) }
        }

        @Test("the limit of a PIN index is what it was to be, or there is no index")
        func changedLimit() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let index = try tpm.definePINIndex(auth: secret(of: 2), limit: 4)
            #expect(try tpm.pinAttempts(index) == (0, 4))
            let before = try tpm.definedIndices()
            // Writes another limit, with no code: as a session without a key takes it. Head 10, handles 8, size 4; of
            // the session handle 4, nonce, attributes 1, code; the content 2 + 8 and an offset 2 at the end.
            let relay = try TPMRelay(
                before: simulator,
                onCommand: { command in
                    guard TPMRelay.code(command) == 0x137 else { return nil }
                    let end = command.count
                    let nonce = Int(command[26]) << 8 | Int(command[27])
                    let session = Array(command[22..<28 + nonce + 1]) + [0, 0]
                    let parameters = command[(end - 12)..<(end - 6)] + [0, 0, 0xff, 0xff] + command[(end - 2)...]
                    var changed = command[..<18] + [0, 0, 0, UInt8(session.count)] + session + parameters
                    changed.replaceSubrange(2..<6, with: [0, 0, 0, UInt8(changed.count)])
                    command = Array(changed)
                    return nil
                },
                onAnswer: { command, answer in
                    guard TPMRelay.code(command) == 0x137, TPMRelay.code(answer) == 0, answer.count > 48 else { return }
                    let digest = SHA256.hash(data: answer[6..<10] + command[6..<10])
                    let nonces = answer[16..<48] + command[28..<60] + answer[48..<49]
                    let key = SymmetricKey(data: [UInt8]())
                    let code = HMAC<SHA256>.authenticationCode(for: Array(digest) + nonces, using: key)
                    answer = Array(answer[..<49]) + [0, 32] + Array(code)
                    answer[5] = UInt8(answer.count)
                })
            let relayed = try TPM(at: TPMAddress(tcti: relay.tcti))
            #expect(throws: HardwareKeyError.self) { try relayed.definePINIndex(auth: secret(of: 3), limit: 4) }
            #expect(try tpm.definedIndices() == before)
            withExtendedLifetime(relay) {}
        }

        @Test("a TPM that is pinned to another storage key is told nothing that is secret")
        func pinned() throws {
            let simulator = try SoftwareTPM(logsCommands: true)
            let tpm = try simulator.open()
            let counter = try tpm.defineCounter(auth: secret(of: 1))
            let own = tpm.pinned(to: try tpm.identity().storageKey)
            try own.incrementCounter(counter.index, auth: secret(of: 1))
            #expect(try own.readCounter(counter.index) == counter.value + 1)
            let other = tpm.pinned(to: [0x00, 0x0b] + [UInt8](repeating: 7, count: 32))
            let before = try simulator.commands().count
            let refusal = HardwareKeyError.unavailable(.otherHardware)
            #expect(throws: refusal) { try other.seal(secret(of: 1), auth: secret(of: 2), policy: .authorisation) }
            #expect(throws: refusal) { try other.defineCounter(auth: secret(of: 1)) }
            #expect(throws: refusal) { try other.definePINIndex(auth: secret(of: 1), limit: 3) }
            #expect(throws: refusal) { try other.incrementCounter(counter.index, auth: secret(of: 1)) }
            #expect(try tpm.readCounter(counter.index) == counter.value + 1)
            // Create, NV_DefineSpace, NV_Increment, StartAuthSession with a key: none was sent before the refusals.
            let sent = try simulator.commands().dropFirst(before)
            #expect(!sent.isEmpty && sent.allSatisfy { ![0x153, 0x12a, 0x134].contains($0) })
        }
    }
#endif
