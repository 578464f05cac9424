#if canImport(CTSS2)
    import Foundation
    import SecretMemory
    import Synchronization
    import TestSupport
    import Testing

    @testable import HardwareKeys

    @Suite("Sealing to a TPM", .enabled(if: SoftwareTPM.isInstalled))
    struct TPMSealingTests {
        /// A TPM with a counter and a PIN index of five attempts.
        struct Vault {
            let simulator: SoftwareTPM
            let tpm: TPM
            let counter: (index: UInt32, value: UInt64)
            let pin: UInt32
            let counterAuth: SecretBytes
            let auth: SecretBytes
            let content: SecretBytes

            init(transport: SoftwareTPM.Transport = .unix) throws {
                simulator = try SoftwareTPM(transport: transport)
                tpm = try simulator.open()
                counterAuth = try secret(of: 1)
                auth = try secret(of: 2)
                content = try SecretBytes.random(count: 32)
                counter = try tpm.defineCounter(auth: counterAuth)
                pin = try tpm.definePINIndex(auth: auth, limit: 5, beside: counter.index)
            }

            func policy(_ template: Int, step: UInt64 = 0) -> TPMPolicy {
                switch template {
                case 1: .authorisation
                case 2: .counter(index: counter.index, value: counter.value + step)
                default: .limited(counter: counter.index, value: counter.value + step, pin: pin, limit: 5)
                }
            }
        }

        @Test("a TPM that is a program and says nothing is not waited for, until it speaks again")
        func silent() async throws {
            let simulator = try SoftwareTPM()
            let gate = DispatchSemaphore(value: 0)
            let relay = try TPMRelay(
                before: simulator,
                onCommand: { _ in
                    gate.wait()
                    gate.signal()
                    return nil
                })
            let address = try TPMAddress(tcti: relay.tcti)
            let silence = HardwareKeyError.unavailable(.notReachable(address: address.description))
            #expect(throws: silence) { try TPM(at: address, within: .milliseconds(50)) }
            // Nobody waits a second time.
            let start = ContinuousClock.now
            #expect(throws: silence) { try TPM(at: address) }
            #expect(ContinuousClock.now - start < .seconds(100))
            gate.signal()
            _ = try await eventually { try? TPM(at: address) }
            withExtendedLifetime((relay, simulator)) {}
        }

        @Test("one that falls silent behind its greeting is told, names the command, and holds nobody up")
        func fallsSilent() async throws {
            let simulator = try SoftwareTPM()
            let gate = DispatchSemaphore(value: 0)
            let isSilent = Atomic(false)
            let relay = try TPMRelay(
                before: simulator,
                onCommand: { _ in
                    if isSilent.load(ordering: .acquiring) {
                        gate.wait()
                        gate.signal()
                    }
                    return nil
                })
            let address = try TPMAddress(tcti: relay.tcti)
            let tpm = try TPM(at: address, answersWithin: .milliseconds(50))
            isSilent.store(true, ordering: .releasing)
            for tpm in [tpm, tpm.pinned(to: [0x00, 0x0b] + [UInt8](repeating: 1, count: 32))] {
                let silence = #expect(throws: HardwareKeyError.self) { try tpm.definedIndices() }
                #expect(silence == .unexpectedResponse(command: "GetCapability", code: TPMResponse.silent))
                let text = silence.map { "\($0)" } ?? ""
                #expect(text.contains("GetCapability") && text.contains("start it anew"), "\(text)")
            }
            isSilent.store(false, ordering: .releasing)
            gate.signal()
            #expect(try await eventually { try? TPM(at: address).definedIndices() } == [])
            withExtendedLifetime((relay, simulator)) {}
        }

        /// What a program says in the place of an answer.
        @Test(
            "an answer that ends early, or says a length that none has, is no answer",
            arguments: [
                [], [0x80, 0x01, 0, 0, 0], [0x80, 0x01, 0, 0, 0, 9, 0, 0, 0, 0],
                [0x80, 0x01, 0, 0, 0, 11, 0, 0, 0, 0], [0x80, 0x01, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
            ] as [[UInt8]])
        func malformed(answer: [UInt8]) throws {
            let simulator = try SoftwareTPM()
            let relay = try TPMRelay(before: simulator, onCommand: { _ in answer }, closesBehindAnswers: true)
            #expect(throws: HardwareKeyError.self) { try TPM(at: TPMAddress(tcti: relay.tcti)) }
        }

        @Test(
            "the sample vaults' states release their secrets", .enabled(if: SharedData.has("mainkey/tpm")),
            arguments: ["template2", "template3", "template3-last-try"])
        func samples(name: String) throws {
            let known = try SharedData.json("mainkey/tpm/\(name)/expect.json")
            let simulator = try SoftwareTPM(state: SharedData.url("mainkey/tpm/\(name)/swtpm-state"))
            let tpm = try simulator.open()
            let blob = try TPMSealedBlob(parsing: #require(known["blob"].hex))
            let content = try secret(#require(known["hwSecret"].hex))
            if let pin = blob.policy.pin {
                #expect(try tpm.pinAttempts(pin.index).wrong == UInt32(#require(known["pinCountNow"].int)))
                #expect(try tpm.pinAttempts(pin.index).limit == pin.limit)
            }
            #expect(try tpm.unseal(blob, auth: secret(#require(known["hwAuth"].hex))) == content)
            if let pin = blob.policy.pin { #expect(try tpm.pinAttempts(pin.index).wrong == 0) }

            let counter = UInt32(try #require(known["counterIndex"].int))
            try tpm.incrementCounter(counter, auth: secret(#require(known["counterAuth"].hex)))
            #expect(try Int(tpm.readCounter(counter)) == known["counterValue"].int.map { $0 + 1 })
            #expect(throws: HardwareKeyError.rolledBack) {
                try tpm.unseal(blob, auth: secret(#require(known["hwAuth"].hex)))
            }
        }

        @Test("the last attempt of a sample vault is the last", .enabled(if: SharedData.has("mainkey/tpm")))
        func lastTry() throws {
            let known = try SharedData.json("mainkey/tpm/template3-last-try/expect.json")
            let simulator = try SoftwareTPM(state: SharedData.url("mainkey/tpm/template3-last-try/swtpm-state"))
            let tpm = try simulator.open()
            let blob = try TPMSealedBlob(parsing: #require(known["blob"].hex))
            #expect(throws: HardwareKeyError.wrongCredential) { try tpm.unseal(blob, auth: secret(of: 9)) }
            #expect(throws: HardwareKeyError.exhausted) {
                try tpm.unseal(blob, auth: secret(#require(known["hwAuth"].hex)))
            }
        }

        @Test("a sealed secret comes back, by every policy", arguments: [1, 2, 3])
        func roundTrip(template: Int) throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(template))
            let stored = try TPMSealedBlob(parsing: blob.serialised)
            #expect(try vault.tpm.unseal(stored, auth: vault.auth) == vault.content)
        }

        @Test("without an authorisation the machine alone releases it", arguments: [1, 2])
        func withoutAuthorisation(template: Int) throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: nil, policy: vault.policy(template))
            #expect(try vault.tpm.unseal(blob, auth: nil) == vault.content)
        }

        @Test("an authorisation that ends in zeros works as any other", arguments: [1, 3])
        func trailingZeros(template: Int) throws {
            let vault = try Vault()
            let auth = try secret([UInt8](repeating: 5, count: 29) + [0, 0, 0])
            let pin = try vault.tpm.definePINIndex(auth: auth, limit: 2)
            let policy: TPMPolicy =
                template == 1
                ? .authorisation
                : .limited(counter: vault.counter.index, value: vault.counter.value, pin: pin, limit: 2)
            let blob = try vault.tpm.seal(vault.content, auth: auth, policy: policy)
            #expect(try vault.tpm.unseal(blob, auth: auth) == vault.content)
        }

        @Test("a wrong authorisation is refused and counted by the TPM", arguments: [1, 2])
        func wrongAuthorisation(template: Int) throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(template))
            #expect(throws: HardwareKeyError.wrongCredential) { try vault.tpm.unseal(blob, auth: secret(of: 3)) }
            #expect(try vault.tpm.properties().lockoutCounter == 1)
            #expect(try vault.tpm.unseal(blob, auth: vault.auth) == vault.content)
        }

        @Test("after too many the TPM locks for everybody, and says for how long")
        func lockout() throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: .authorisation)
            let limit = try vault.tpm.properties().maxAuthFail
            for _ in 0..<limit {
                #expect(throws: HardwareKeyError.wrongCredential) { try vault.tpm.unseal(blob, auth: secret(of: 3)) }
            }
            let properties = try vault.tpm.properties()
            #expect(properties.inLockout)
            #expect(throws: HardwareKeyError.lockout(seconds: Int(properties.lockoutInterval))) {
                try vault.tpm.unseal(blob, auth: vault.auth)
            }
        }

        @Test(
            "a PIN index counts wrong attempts, forgets them at the right one, and never touches the TPM-wide lockout")
        func pinIndexCounts() throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(3))
            for wrong in 1...4 {
                #expect(throws: HardwareKeyError.wrongCredential) { try vault.tpm.unseal(blob, auth: secret(of: 3)) }
                #expect(try vault.tpm.pinAttempts(vault.pin) == (UInt32(wrong), 5))
            }
            #expect(try vault.tpm.properties().lockoutCounter == 0)
            #expect(try vault.tpm.unseal(blob, auth: vault.auth) == vault.content)
            #expect(try vault.tpm.pinAttempts(vault.pin) == (0, 5))
        }

        @Test("a PIN index at its limit refuses the right authorisation for ever")
        func pinIndexExhausted() throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(3))
            for _ in 1...5 {
                #expect(throws: HardwareKeyError.wrongCredential) { try vault.tpm.unseal(blob, auth: secret(of: 3)) }
            }
            #expect(throws: HardwareKeyError.exhausted) { try vault.tpm.unseal(blob, auth: vault.auth) }
            vault.simulator.stop()
            try vault.simulator.start()
            #expect(throws: HardwareKeyError.exhausted) { try vault.tpm.unseal(blob, auth: vault.auth) }
        }

        @Test("a blob dies when its counter moves, and the one sealed ahead comes to life", arguments: [2, 3])
        func counterMoves(template: Int) throws {
            let vault = try Vault()
            let old = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(template))
            let new = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(template, step: 1))
            #expect(throws: HardwareKeyError.rolledBack) { try vault.tpm.unseal(new, auth: vault.auth) }
            #expect(try vault.tpm.unseal(old, auth: vault.auth) == vault.content)

            try vault.tpm.incrementCounter(vault.counter.index, auth: vault.counterAuth)
            #expect(try vault.tpm.readCounter(vault.counter.index) == vault.counter.value + 1)

            #expect(throws: HardwareKeyError.rolledBack) { try vault.tpm.unseal(old, auth: vault.auth) }
            #expect(try vault.tpm.unseal(new, auth: vault.auth) == vault.content)
        }

        @Test("a stranger cannot move the counter")
        func strangerCannotIncrement() throws {
            let vault = try Vault()
            #expect(throws: HardwareKeyError.wrongCredential) {
                try vault.tpm.incrementCounter(vault.counter.index, auth: vault.auth)
            }
            #expect(try vault.tpm.readCounter(vault.counter.index) == vault.counter.value)
        }

        @Test("a counter that is deleted and defined again never goes back")
        func counterNeverGoesBack() throws {
            let vault = try Vault()
            try vault.tpm.incrementCounter(vault.counter.index, auth: vault.counterAuth)
            let reached = try vault.tpm.readCounter(vault.counter.index)
            try vault.tpm.undefine(vault.counter.index)
            try vault.tpm.undefine(vault.pin)
            let again = try vault.tpm.defineCounter(auth: vault.counterAuth)
            #expect(again.index == vault.counter.index)
            #expect(again.value == reached + 1)
        }

        @Test("without its indices a blob is dead")
        func deletedIndex() throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(3))
            try vault.tpm.undefine(vault.counter.index)
            #expect(throws: HardwareKeyError.dead(index: vault.counter.index)) {
                try vault.tpm.unseal(blob, auth: vault.auth)
            }
            try vault.tpm.undefine(vault.pin)
            #expect(throws: HardwareKeyError.dead(index: vault.pin)) { try vault.tpm.unseal(blob, auth: vault.auth) }
            #expect(throws: HardwareKeyError.dead(index: vault.pin)) { try vault.tpm.pinAttempts(vault.pin) }
            #expect(throws: HardwareKeyError.dead(index: vault.pin)) { try vault.tpm.undefine(vault.pin) }
        }

        @Test("another TPM refuses a blob", arguments: [1, 2, 3])
        func otherTPM(template: Int) throws {
            let vault = try Vault()
            let other = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(template))
            #expect(throws: HardwareKeyError.unavailable(.otherHardware)) {
                try other.tpm.unseal(blob, auth: vault.auth)
            }
        }

        @Test("where there is no TPM it is said so")
        func notReachable() throws {
            for text in ["device:/dev/no-such-tpm", "swtpm:path=/tmp/no-such.sock", "swtpm:host=127.0.0.1,port=1"] {
                #expect(throws: HardwareKeyError.unavailable(.notReachable(address: text))) {
                    try TPM(at: TPMAddress(tcti: text))
                }
            }
            let vault = try Vault()
            vault.simulator.stop()
            #expect(throws: HardwareKeyError.unavailable(.notReachable(address: vault.simulator.tcti))) {
                try vault.tpm.readCounter(vault.counter.index)
            }
        }

        @Test("vaults get pairs of indices of their own, until the TPM has no room")
        func allocation() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let auth = try secret(of: 1)
            let first = try tpm.defineCounter(auth: auth)
            let second = try tpm.defineCounter(auth: auth)
            #expect(first.index == 0x0180_4d00)
            #expect(second.index == 0x0180_4d02)
            #expect(try tpm.definePINIndex(auth: auth, limit: 3, beside: second.index) == 0x0180_4d03)
            #expect(try tpm.definePINIndex(auth: auth, limit: 3, beside: second.index) == 0x0180_4d01)
            #expect(try tpm.definedIndices() == [0x0180_4d00, 0x0180_4d01, 0x0180_4d02, 0x0180_4d03])

            var room = 0
            #expect(throws: HardwareKeyError.noNVSpace) {
                while true {
                    _ = try tpm.defineCounter(auth: auth)
                    room += 1
                }
            }
            #expect(room > 10)
            #expect(try tpm.readCounter(second.index) == second.value)
        }

        @Test("an index is told before it is made, and goes again as long as nobody wrote to it")
        func unwritten() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            // As a process leaves it that is killed there: nothing is written (NV_Increment, NV_Write), nor is anything
            // taken back (NV_UndefineSpace).
            let relay = try TPMRelay(
                before: simulator,
                onCommand: { sent in
                    [0x134, 0x137, 0x122].contains(TPMRelay.code(sent)) ? TPMRelay.answer(0x101) : nil
                })
            let killed = try TPM(at: TPMAddress(tcti: relay.tcti))
            var told: [UInt32] = []
            #expect(throws: HardwareKeyError.self) {
                try killed.defineCounter(auth: secret(of: 1), intending: { told.append($0) })
            }
            #expect(throws: HardwareKeyError.self) {
                try killed.definePINIndex(auth: secret(of: 2), limit: 3, intending: { told.append($0) })
            }
            #expect(told == [0x0180_4d00, 0x0180_4d01])
            #expect(try tpm.definedIndices() == told)
            for index in told {
                #expect(try tpm.undefineUnwritten(index))
                #expect(try tpm.undefineUnwritten(index))
            }
            #expect(try tpm.definedIndices().isEmpty)
            let counter = try tpm.defineCounter(auth: secret(of: 1))
            let pin = try tpm.definePINIndex(auth: secret(of: 2), limit: 3)
            #expect([counter.index, pin] == told)
            for index in told { #expect(try !tpm.undefineUnwritten(index)) }
            #expect(try tpm.readCounter(counter.index) == counter.value && tpm.pinAttempts(pin).limit == 3)
        }

        @Test("what cannot be written down is not made")
        func untold() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            let refusal = HardwareKeyError.storageRefused(path: "list", reason: "full")
            let refuse: (UInt32) throws(HardwareKeyError) -> Void = { (_) throws(HardwareKeyError) in throw refusal }
            #expect(throws: refusal) { try tpm.defineCounter(auth: secret(of: 1), intending: refuse) }
            #expect(throws: refusal) { try tpm.defineCounter(auth: secret(of: 1), defined: refuse) }
            #expect(throws: refusal) { try tpm.definePINIndex(auth: secret(of: 1), limit: 3, intending: refuse) }
            #expect(throws: refusal) { try tpm.definePINIndex(auth: secret(of: 1), limit: 3, defined: refuse) }
            #expect(try tpm.definedIndices().isEmpty)
        }

        @Test("indices that are not of this program are left alone")
        func foreignIndices() throws {
            let simulator = try SoftwareTPM()
            let tpm = try simulator.open()
            #expect(throws: HardwareKeyError.invalidArgument("the index 0x1c00002 is not one of this program")) {
                try tpm.undefine(0x01c0_0002)
            }
        }

        @Test("what a TPM cannot take is refused before it is asked")
        func impossibleArguments() throws {
            let vault = try Vault()
            let long = try SecretBytes.random(count: 33)
            #expect(throws: HardwareKeyError.self) {
                try vault.tpm.seal(vault.content, auth: long, policy: .authorisation)
            }
            #expect(throws: HardwareKeyError.self) { try vault.tpm.defineCounter(auth: long) }
            #expect(throws: HardwareKeyError.self) { try vault.tpm.definePINIndex(auth: vault.auth, limit: 0) }
            #expect(throws: HardwareKeyError.self) {
                try vault.tpm.seal(SecretBytes.random(count: 129), auth: nil, policy: .authorisation)
            }
            #expect(throws: HardwareKeyError.self) {
                try vault.tpm.seal(SecretBytes.random(count: 0), auth: nil, policy: .authorisation)
            }
        }

        @Test("a changed private part is refused")
        func changedBlob() throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: .authorisation)
            let changed = TPMSealedBlob(
                policy: blob.policy, registers: nil, parent: blob.parent, parentName: blob.parentName,
                privatePart: blob.privatePart.flipping(bit: 900), publicArea: blob.publicArea)
            #expect(throws: HardwareKeyError.unavailable(.otherHardware)) {
                try vault.tpm.unseal(changed, auth: vault.auth)
            }
        }

        @Test("fifty operations, many of which fail, leave nothing in the TPM")
        func nothingIsLeaked() throws {
            let vault = try Vault()
            let one = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(2))
            let ahead = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(3, step: 1))
            let three = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(3))
            let dead = TPMPolicy.counter(index: 0x0180_4dfe, value: 1)
            let orphan = try vault.tpm.seal(vault.content, auth: vault.auth, policy: dead)
            for _ in 0..<10 {
                #expect(try vault.tpm.unseal(one, auth: vault.auth) == vault.content)
                #expect(throws: HardwareKeyError.wrongCredential) { try vault.tpm.unseal(three, auth: secret(of: 3)) }
                #expect(throws: HardwareKeyError.rolledBack) { try vault.tpm.unseal(ahead, auth: vault.auth) }
                #expect(throws: HardwareKeyError.dead(index: 0x0180_4dfe)) {
                    try vault.tpm.unseal(orphan, auth: vault.auth)
                }
                #expect(throws: HardwareKeyError.wrongCredential) {
                    try vault.tpm.incrementCounter(vault.counter.index, auth: vault.auth)
                }
            }
            let left = try vault.tpm.perform { (connection) throws(HardwareKeyError) in
                // Transient objects, loaded sessions, saved sessions.
                try connection.handles(in: 0x8000_0000...0x8000_ffff)
                    + connection.handles(in: 0x0200_0000...0x0200_ffff)
                    + connection.handles(in: 0x0300_0000...0x0300_ffff)
            }
            #expect(left == [])
        }

        @Test("what was sealed before a restart opens after it", arguments: [1, 2, 3])
        func restart(template: Int) throws {
            let vault = try Vault()
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(template))
            vault.simulator.stop()
            try vault.simulator.start()
            #expect(try vault.tpm.unseal(blob, auth: vault.auth) == vault.content)
        }

        @Test("a TPM behind a TCP port works the same")
        func tcp() throws {
            // None that the kernel gives to others, and another one in each run; the simulator takes the next one, too.
            let port = UInt16(20_000 + getpid() % 6_000 * 2)
            let vault = try Vault(transport: .tcp(port: port))
            let blob = try vault.tpm.seal(vault.content, auth: vault.auth, policy: vault.policy(3))
            #expect(try vault.tpm.unseal(blob, auth: vault.auth) == vault.content)
        }

        @Test("tasks that use one TPM at once wait for each other")
        func concurrently() async throws {
            let vault = try Vault()
            let tpm = vault.tpm
            let (content, auth) = (vault.content, vault.auth)
            let blob = try tpm.seal(content, auth: auth, policy: vault.policy(3))
            try await withThrowingTaskGroup(of: SecretBytes.self) { group in
                for _ in 0..<8 { group.addTask { try tpm.unseal(blob, auth: auth) } }
                for try await released in group { #expect(released == content) }
            }
        }

        @Test("a new TPM tells its settings")
        func properties() throws {
            let simulator = try SoftwareTPM()
            let properties = try simulator.open().properties()
            #expect(properties.manufacturer == "IBM")
            #expect(properties.lockoutCounter == 0)
            #expect(properties.maxAuthFail == 3)
            #expect(properties.lockoutInterval == 1000)
            #expect(properties.lockoutRecovery == 1000)
            #expect(!properties.ownerAuthSet && !properties.endorsementAuthSet && !properties.lockoutAuthSet)
            #expect(!properties.inLockout)
        }
    }
#endif
