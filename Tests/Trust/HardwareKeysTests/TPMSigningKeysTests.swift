#if canImport(CTSS2)
    import SecretMemory
    import TestSupport
    import Testing

    @testable import HardwareKeys

    @Suite("Signing keys in a TPM", .enabled(if: SoftwareTPM.isInstalled))
    struct TPMSigningKeysTests {
        let fixture = SigningKeysFixture()

        @Test("a key in a TPM signs, also after the TPM was restarted")
        func tpmKey() throws {
            let simulator = try SoftwareTPM()
            let keys = try fixture.keys(TPMSigningHardware(at: TPMAddress(tcti: simulator.tcti)), requireHardware: true)
            let key = try keys.generate(tag: "app")
            #expect(key.kind == .tpm2)
            #expect(fixture.log.all == ["notice: Key generated in TPM 2.0"])
            try verify(key)

            simulator.stop()
            try simulator.start()
            try verify(key)
            let loaded = try keys.load(tag: "app")
            #expect(loaded.publicKey == key.publicKey && loaded.kind == .tpm2)
            try verify(loaded)
            #expect(try keys.list() == [.init(tag: "app", kind: .tpm2)])
            #expect(Scratch.mode(fixture.path + "/app.vgtk") == 0o600)
        }

        @Test(
            "thirty-two signatures are right whatever zeros their numbers begin with"
        )
        func manySignatures() throws {
            let simulator = try SoftwareTPM()
            let key = try fixture.keys(TPMSigningHardware(at: TPMAddress(tcti: simulator.tcti))).generate(tag: "app")
            for _ in 0..<32 { try verify(key) }
        }

        @Test("another TPM refuses the key, and no software key takes its place")
        func otherTPM() throws {
            let simulator = try SoftwareTPM()
            let other = try SoftwareTPM()
            _ = try fixture.keys(TPMSigningHardware(at: TPMAddress(tcti: simulator.tcti))).generate(tag: "app")
            let elsewhere = try fixture.keys(TPMSigningHardware(at: TPMAddress(tcti: other.tcti)))
            #expect(throws: HardwareKeyError.unavailable(.otherHardware)) { try elsewhere.load(tag: "app") }
            let without = try fixture.keys(nil)
            #expect(throws: HardwareKeyError.unavailable(.none)) { try without.load(tag: "app") }
            #expect(throws: HardwareKeyError.keyExists(tag: "app")) { try without.generate(tag: "app") }
        }

        @Test("a TPM key's file that is cut off or flipped is refused")
        func damagedFile() throws {
            let simulator = try SoftwareTPM()
            let stored = try simulator.open().makeSigningKey(auth: secret(of: 1))
            let tag = try KeyTag("app")
            let file = try stored.serialised(tag: tag)
            let bytes = file.withUnsafeBytes { Array($0) }
            #expect(try TPMKeyFile(parsing: file, tag: tag).object == stored.object)
            #expect(try TPMKeyFile(parsing: file, tag: tag).auth == secret(of: 1))
            #expect(throws: HardwareKeyError.cannotUnseal(tag: "b")) { try TPMKeyFile(parsing: file, tag: KeyTag("b")) }
            for count in bytes.indices {
                #expect(throws: HardwareKeyError.self) {
                    try TPMKeyFile(parsing: secret(Array(bytes.prefix(count))), tag: tag)
                }
            }
            for bit in 0..<bytes.count * 8 {
                #expect(throws: HardwareKeyError.self) {
                    try TPMKeyFile(parsing: secret(bytes.flipping(bit: bit)), tag: tag)
                }
            }
        }

        @Test("a TPM that does not answer is told as the reason")
        func unreachable() throws {
            let address = TPMAddress.device(path: "/dev/no-such-tpm")
            let strict = try fixture.keys(TPMSigningHardware(at: address), requireHardware: true)
            #expect(throws: HardwareKeyError.hardwareRequired(.notReachable(address: "device:/dev/no-such-tpm"))) {
                try strict.generate(tag: "app")
            }
        }
    }
#endif
