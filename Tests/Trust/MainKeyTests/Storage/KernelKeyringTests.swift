import CLinux
import Foundation
import SecretMemory
import Testing

@testable import MainKey

@Suite("Key items in the kernel's keyring")
struct KernelKeyringTests {
    private static let isAvailable = (try? KernelKeyring.checkAvailability()) != nil
    private let keyring = KernelKeyring(service: "test-\(UUID())", lifetime: .seconds(3_600))

    @Test("the keyring has an item written, read, replaced, listed and removed", .enabled(if: isAvailable))
    func life() throws {
        #expect(try keyring.read("a") == nil)
        try keyring.write("a", try secretBytes("first"), access: .afterFirstUnlockThisDeviceOnly)
        try keyring.write("a", try secretBytes("a longer one"), access: .afterFirstUnlockThisDeviceOnly)
        try keyring.write("b:c", try secretBytes("x"), access: .afterFirstUnlockThisDeviceOnly)
        #expect(text(try keyring.read("a")) == "a longer one")
        // Its mark is read with the colon before it.
        try keyring.write("\u{301}x", try secretBytes("x"), access: .afterFirstUnlockThisDeviceOnly)
        #expect(try keyring.labels() == ["a", "b:c", "\u{301}x"])
        try keyring.delete("\u{301}x")
        try keyring.delete("a")
        try keyring.delete("a")
        try keyring.delete("b:c")
        #expect(try keyring.read("a") == nil)
        #expect(try keyring.labels().isEmpty)
    }

    @Test("an item ends with its time", .enabled(if: isAvailable))
    func timeout() async throws {
        // The kernel's own clock, in whole seconds, cannot be injected: this is the one test that waits.
        let service = "test-\(UUID())"
        let short = KernelKeyring(service: service, lifetime: .milliseconds(1))
        try short.write("a", try secretBytes("x"), access: .afterFirstUnlockThisDeviceOnly)
        let deadline = ContinuousClock.now + .seconds(300)
        while try short.read("a") != nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try short.read("a") == nil)
        #expect(try short.labels().isEmpty)
        // What comes after it has a time of its own, which is not over before it is read.
        let long = KernelKeyring(service: service, lifetime: .seconds(3_600))
        try long.write("a", try secretBytes("again"), access: .afterFirstUnlockThisDeviceOnly)
        #expect(text(try long.read("a")) == "again")
        try long.delete("a")
    }

    @Test("only items for after the first unlock are taken, of a size that the kernel takes")
    func refusals() throws {
        for access in Accessibility.allCases where access != .afterFirstUnlockThisDeviceOnly {
            #expect(code { try keyring.write("a", try secretBytes("x"), access: access) } == "configError")
        }
        for count in [0, 32_768] {
            let value = try SecretBytes(count: count) { _ in }
            #expect(
                code { try keyring.write("a", value, access: .afterFirstUnlockThisDeviceOnly) } == "limitExceeded")
        }
        #expect(code { _ = try keyring.read("a\0b") } == "configError")
        #expect(code { _ = try keyring.read(String(repeating: "a", count: 5000)) } == "configError")
    }

    @Test("a system without a keyring is told from a full one")
    func unavailable() {
        for number in [ENOSYS, EPERM] { #expect(KernelKeyring.failure(number, "").code == "configError") }
        #expect(KernelKeyring.failure(EDQUOT, "").code == "limitExceeded")
        #expect(KernelKeyring.failure(EIO, "").code == "io")
    }
}
