#if canImport(CTSS2)
    import CTSS2
    import SecretMemory
    import TestSupport
    import Testing

    @testable import HardwareKeys

    @Suite("The storage key", .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.hasTools))
    struct TPMStorageKeyTests {
        /// Does what the machine's owner does: makes this room's key persistent.
        static func makePersistent(_ tpm: TPM) throws {
            try tpm.perform { (connection) throws(HardwareKeyError) in
                try connection.withStorageKey(.exactly(.transient)) { (key) throws(HardwareKeyError) in
                    var handle: ESYS_TR = ESYS_TR_NONE
                    try connection.run("EvictControl", on: .owner) {
                        connection.tss2.Esys_EvictControl(
                            connection.esys, ESYS_TR_RH_OWNER, key.handle, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE,
                            TPMConstants.persistentStorageKey, &handle)
                    }
                    connection.close(handle)
                }
            }
        }

        /// Leaves in the TPM what killed programs do: it has room for three objects.
        static func fill(_ tpm: TPM) throws {
            try tpm.perform { (connection) throws(HardwareKeyError) -> Void in
                for _ in 0..<3 {
                    _ = try connection.makePrimary(TPMPublicArea.storageKey, in: ESYS_TR_RH_OWNER, subject: .owner)
                }
            }
        }

        @Test("a persistent one is used, and what it sealed opens also when it is gone")
        func persistent() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let content = try secret(of: 1)
            let before = try tpm.seal(content, auth: nil, policy: .authorisation)
            try Self.makePersistent(tpm)
            let after = try tpm.seal(content, auth: nil, policy: .authorisation)
            let key = try tpm.makeSigningKey(auth: secret(of: 2))
            #expect(before.parent == .transient && after.parent == .persistent && key.parent == .persistent)
            #expect(before.parentName == after.parentName)
            #expect(try tpm.unseal(before, auth: nil) == content)
            #expect(try tpm.unseal(after, auth: nil) == content)
            try tpm.check(key)

            try simulator.run("tpm2_evictcontrol", "-C", "o", "-c", "0x81000001")
            #expect(try tpm.unseal(after, auth: nil) == content)
            #expect(throws: HardwareKeyError.unavailable(.otherHardware)) { try tpm.check(key) }
        }

        @Test("a persistent key of another template is not used")
        func otherTemplate() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            try simulator.run("tpm2_createprimary", "-C", "o", "-G", "rsa2048:aes128cfb", "-c", "primary.ctx")
            try simulator.run("tpm2_evictcontrol", "-C", "o", "-c", "primary.ctx", "0x81000001")
            let blob = try tpm.seal(secret(of: 1), auth: nil, policy: .authorisation)
            #expect(blob.parent == .transient)
            #expect(try tpm.unseal(blob, auth: nil) == secret(of: 1))
        }

        @Test("where the owner's authorisation is set, a persistent key still serves")
        func ownerAuthorisation() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            try Self.makePersistent(tpm)
            try simulator.run("tpm2_changeauth", "-c", "owner", "secret")
            #expect(try tpm.properties().ownerAuthSet)
            let blob = try tpm.seal(secret(of: 1), auth: nil, policy: .authorisation)
            #expect(try tpm.unseal(blob, auth: nil) == secret(of: 1))
            // The storage key does not help with these, and the error names what does.
            let refused = HardwareKeyError.unavailable(.ownerAuthorisationSet)
            #expect("\(refused)".contains("counters and PIN indices are made and removed in no other way"))
            #expect("\(refused)".contains("tpm2_changeauth -c owner -p"))
            #expect(throws: refused) { try tpm.defineCounter(auth: secret(of: 1)) }
            try simulator.run("tpm2_changeauth", "-c", "owner", "-p", "secret")
            let counter = try tpm.defineCounter(auth: secret(of: 1))
            let pin = try tpm.definePINIndex(auth: secret(of: 2), limit: 4)
            try simulator.run("tpm2_changeauth", "-c", "owner", "secret")
            try tpm.incrementCounter(counter.index, auth: secret(of: 1))
            #expect(try tpm.readCounter(counter.index) == counter.value + 1)
            for index in [counter.index, pin] { #expect(throws: refused) { try tpm.undefine(index) } }
        }

        @Test("where it is set and there is no persistent key, that is told")
        func ownerAuthorisationAlone() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            try simulator.run("tpm2_changeauth", "-c", "owner", "secret")
            #expect(throws: HardwareKeyError.unavailable(.ownerAuthorisationSet)) {
                try tpm.seal(secret(of: 1), auth: nil, policy: .authorisation)
            }
        }

        @Test("after the TPM was cleared, what it sealed is of another TPM")
        func cleared() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let blob = try tpm.seal(secret(of: 1), auth: nil, policy: .authorisation)
            try simulator.run("tpm2_clear", "-c", "platform")
            #expect(throws: HardwareKeyError.unavailable(.otherHardware)) { try tpm.unseal(blob, auth: nil) }
        }
    }
#endif
