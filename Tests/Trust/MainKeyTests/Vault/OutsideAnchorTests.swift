import HardwareKeys
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import MainKey

@Suite("A vault whose application keeps an anchor")
struct OutsideAnchorTests {
    /// A number that nobody can put back.
    private final class Counter: RollbackAnchor {
        private let state: Mutex<(count: UInt64, fails: Bool)>

        init(_ count: UInt64) {
            state = Mutex((count, false))
        }

        func value() -> UInt64 { state.withLock { $0.count } }

        func advance(to value: UInt64) throws {
            try state.withLock { state in
                guard !state.fails else { throw MainKeyError.locked }
                state.count = value
            }
        }

        func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }
    }

    private let folder: VaultFolder
    private let counter = Counter(7)
    private let options: OpenOptions

    init() throws {
        folder = try VaultFolder()
        var options = OpenOptions()
        options.externalAnchor = counter
        self.options = options
    }

    private func make() throws -> MainKeyVault {
        try Unwatched.create(at: folder.path, [.pin(VaultFolder.pin())], VaultFolder.options, options)
    }

    private func open(_ options: OpenOptions) throws -> MainKeyVault {
        let vault = try Unwatched.open(at: folder.path, options)
        try vault.unlock(.pin(VaultFolder.pin()))
        return vault
    }

    @Test("it has it from the beginning: one that is put back as a whole is refused")
    func made() throws {
        let vault = try make()
        #expect(try vault.status().anchor == "external")
        #expect(try vault.status().anchorValue == 8 && counter.value() == 8)
        let yesterday = try folder.files()
        try vault.setAutolock(.minutes(7))
        #expect(counter.value() == 9)
        let today = try folder.files()
        try folder.restore(yesterday)
        #expect(code { _ = try open(options) } == "rolledBack")
        try folder.restore(today)
        #expect(try open(options).status().autolock == .minutes(7))
        #expect(code { _ = try open(OpenOptions()) } == "configError")
    }

    @Test("one that had none takes it with its next change, and misses nothing that was removed before")
    func takenLater() throws {
        do {
            let (vault, _) = try folder.make()
            try vault.setToken("t", SecretBytes(test: "t"))
            try vault.setToken("gone", SecretBytes(test: "g"))
            vault.lock()
            // Without the key nobody can strike it off the list.
            try vault.removeToken("gone")
        }
        let vault = try open(options)
        #expect(try vault.status().anchor == "none")
        try vault.setAutolock(.minutes(7))
        #expect(try vault.status().anchor == "external" && counter.value() == 8)
        let yesterday = try folder.files()
        try vault.setToken("t", SecretBytes(test: "new"))
        let again = try open(options)
        #expect(try again.token("t")?.testBytes == Array("new".utf8))
        #expect(try again.checkItems() == 0)
        try folder.restore(yesterday)
        #expect(code { _ = try open(options) } == "rolledBack")
    }

    @Test("whoever has it open without the anchor changes nothing more once it has one")
    func others() throws {
        let (other, _) = try folder.make()
        try open(options).setAutolock(.minutes(7))
        let before = try folder.files()
        #expect(code { try other.setAutolock(.minutes(9)) } == "configError")
        #expect(try folder.files() == before)
    }

    @Test("where the anchor does not move at first, nothing has changed, and it is taken the next time")
    func failing() throws {
        counter.fail(true)
        #expect(code { _ = try make() } == "io")
        #expect(code { _ = try Unwatched.open(at: folder.path, options) } == "notFound")
        #expect(try folder.files()["keyring.mk.new"] == nil)
        let (made, _) = try folder.make()
        made.lock()
        let vault = try open(options)
        let before = try folder.files()
        #expect(code { try vault.setAutolock(.minutes(7)) } == "io")
        #expect(try folder.files() == before)
        counter.fail(false)
        try vault.setAutolock(.minutes(7))
        #expect(try open(options).status().anchor == "external")
    }

    @Test("a counter of the TPM takes none beside it", .enabled(if: SoftwareTPM.isInstalled))
    func twoAnchors() throws {
        let bound = try BoundVault(.counter)
        var options = bound.options
        options.externalAnchor = counter
        let vault = try Unwatched.open(at: bound.folder.path, options)
        #expect(code { try vault.unlock(.hardwareAndPIN(VaultFolder.pin())) } == "configError")
        let new = try VaultFolder()
        let way = Protection.hardwareAndPIN(try VaultFolder.pin(), HardwareBinding(.counter))
        var making = VaultFolder.options
        making.allowsNoRecovery = true
        #expect(code { _ = try Unwatched.create(at: new.path, [way], making, options) } == "configError")
        #expect(counter.value() == 7)
    }
}
