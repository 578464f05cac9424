#if canImport(CTSS2)
    import Foundation
    import SecretMemory
    import TestSupport
    import Testing

    @testable import HardwareKeys

    extension SoftwareTPM {
        /// Measures something into registers, as the start of a machine does.
        func extend(_ registers: Int...) throws {
            for register in registers {
                try run("tpm2_pcrextend", "\(register):sha256=" + String(repeating: "7c", count: 32))
            }
        }
    }

    @Suite("Sealing to a TPM's registers", .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools))
    struct TPMRegisterTests {
        private static let secureBoot = TPMRegisterSelection(bitmap: 1 << 7)

        /// A TPM into whose register 7 something was measured.
        private func vault() throws -> TPMSealingTests.Vault {
            let vault = try TPMSealingTests.Vault()
            try vault.simulator.extend(7)
            return vault
        }

        private func seal(
            _ vault: TPMSealingTests.Vault, template: Int, step: UInt64 = 0,
            to registers: TPMRegisterSelection = secureBoot
        ) throws -> TPMSealedBlob {
            let blob = try vault.tpm.seal(
                vault.content, auth: vault.auth, policy: vault.policy(template, step: step),
                registers: vault.tpm.registers(registers))
            return try TPMSealedBlob(parsing: blob.serialised)
        }

        @Test(
            "a policy is the one that the tools of the TPM compute", arguments: ["7", "0,7", "0,1,2,3,4,5,6,7"])
        func knownByTools(text: String) throws {
            let vault = try vault()
            for register in 0...7 { try vault.simulator.extend(register) }
            let selection = try #require(TPMRegisterSelection(text))
            try vault.simulator.run("tpm2_createpolicy", "--policy-pcr", "-l", "sha256:\(text)", "-L", "policy")
            var policy = TPMPolicyDigest()
            policy.require(try vault.tpm.registers(selection))
            let known = try Data(contentsOf: vault.simulator.folder.appending(path: "policy"))
            #expect(policy.value == Array(known))
        }

        @Test("what registers hold is not taken from somebody in between, where the TPM is known")
        func relayed() throws {
            let simulator = try vault().simulator
            let tpm = try simulator.open()
            let name = try tpm.identity().storageKey
            let true7 = try tpm.registers(Self.secureBoot)
            #expect(try tpm.pinned(to: name).registers(Self.secureBoot) == true7)
            let relay = try TPMRelay(
                before: simulator,
                onAnswer: { command, answer in
                    guard TPMRelay.code(command) == 0x17e, TPMRelay.code(answer) == 0 else { return }
                    // Head 10, size of parameters 4 where there is a session, counter 4, selection 10, count 4, size 2.
                    answer[30 + (answer[1] == 2 ? 4 : 0)] ^= 1
                })
            let relayed = try TPM(at: TPMAddress(tcti: relay.tcti))
            #expect(try relayed.registers(Self.secureBoot) != true7)
            #expect(throws: HardwareKeyError.self) { try relayed.pinned(to: name).registers(Self.secureBoot) }
            withExtendedLifetime(relay) {}
        }

        @Test("the TPM takes all registers, more than it tells at once, and notices each", arguments: [0, 8, 15])
        func allRegisters(changed: Int) throws {
            let vault = try vault()
            for register in 0...15 { try vault.simulator.extend(register) }
            let all = TPMRegisterSelection(bitmap: .max)
            let blob = try seal(vault, template: 1, to: all)
            #expect(try vault.tpm.unseal(blob, auth: vault.auth) == vault.content)
            try vault.simulator.extend(changed)
            #expect(throws: HardwareKeyError.registersChanged(all)) { try vault.tpm.unseal(blob, auth: vault.auth) }
        }

        @Test("a register that changed is refused by name, and no attempt is counted", arguments: [1, 2, 3])
        func changed(template: Int) throws {
            let vault = try vault()
            let blob = try seal(vault, template: template)
            #expect(blob.registers?.selection.numbers == [7])
            #expect(try vault.tpm.unseal(blob, auth: vault.auth) == vault.content)
            // Of which nobody said anything.
            try vault.simulator.extend(4)
            #expect(try vault.tpm.unseal(blob, auth: vault.auth) == vault.content)
            try vault.simulator.extend(7)
            for auth in [vault.auth, try secret(of: 3)] {
                #expect(throws: HardwareKeyError.registersChanged(Self.secureBoot)) {
                    try vault.tpm.unseal(blob, auth: auth)
                }
            }
            #expect(try vault.tpm.pinAttempts(vault.pin).wrong == 0)
            #expect(try vault.tpm.properties().lockoutCounter == 0)
            // Sealed anew it opens.
            #expect(try vault.tpm.unseal(seal(vault, template: template), auth: vault.auth) == vault.content)
        }

        @Test("the conditions of the templates hold beside the registers", arguments: [1, 2, 3])
        func templates(template: Int) throws {
            let vault = try vault()
            let blob = try seal(vault, template: template)
            #expect(throws: HardwareKeyError.wrongCredential) { try vault.tpm.unseal(blob, auth: secret(of: 3)) }
            #expect(try vault.tpm.pinAttempts(vault.pin).wrong == (template == 3 ? 1 : 0))
            guard template > 1 else { return }
            #expect(throws: HardwareKeyError.rolledBack) {
                try vault.tpm.unseal(seal(vault, template: template, step: 1), auth: vault.auth)
            }
        }

        @Test("no record that was changed leaves a register out: the TPM's object says what it is bound to")
        func otherRecord() throws {
            let vault = try vault()
            try vault.simulator.extend(4)
            let blob = try seal(vault, template: 1)
            let bytes = blob.serialised
            var unbound = bytes
            unbound.removeSubrange(62..<98)
            unbound[0] = 1
            var other = bytes
            other[65] = 1 << 4
            other[64] = 0
            for wrong in [unbound, other] {
                #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: wrong) }
            }
            // Also where nobody parses: without the registers the TPM refuses.
            let stripped = TPMSealedBlob(
                policy: blob.policy, registers: nil, parent: blob.parent, parentName: blob.parentName,
                privatePart: blob.privatePart, publicArea: blob.publicArea)
            #expect(throws: HardwareKeyError.self) { try vault.tpm.unseal(stripped, auth: vault.auth) }
        }

        @Test("a register into which nothing is measured, and none, are refused")
        func nothingMeasured() throws {
            let vault = try TPMSealingTests.Vault()
            #expect(throws: HardwareKeyError.self) { try vault.tpm.registers(Self.secureBoot) }
            #expect(throws: HardwareKeyError.self) { try vault.tpm.registers(.none) }
            try vault.simulator.extend(7)
            #expect(throws: HardwareKeyError.self) { try vault.tpm.registers(TPMRegisterSelection(bitmap: 1 << 7 | 2)) }
            _ = try vault.tpm.registers(Self.secureBoot)
        }

        @Test("refusals leave nothing in the TPM")
        func nothingIsLeaked() throws {
            let vault = try vault()
            let blob = try seal(vault, template: 3)
            try vault.simulator.extend(7)
            for _ in 0..<10 { #expect(throws: HardwareKeyError.self) { try vault.tpm.unseal(blob, auth: vault.auth) } }
            let left = try vault.tpm.perform { (connection) throws(HardwareKeyError) in
                try connection.handles(in: 0x8000_0000...0x8000_ffff)
                    + connection.handles(in: 0x0200_0000...0x0200_ffff)
                    + connection.handles(in: 0x0300_0000...0x0300_ffff)
            }
            #expect(left == [])
        }
    }
#endif
