import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("Argon2Calibration")
struct Argon2CalibrationTests {
    @Test("gives the known costs")
    func knownCosts() throws {
        let known = try Fixture.json("calibration.json")
        let target = Duration.milliseconds(try #require(known["target_ms"].int))
        #expect(known["cases"].array.count == 9)
        for known in known["cases"].array {
            let group = try #require(known["cgroupMiB"].int)
            let calibration = Argon2Calibration(
                nanosecondsPerMiB: try #require(known["rate_ns_per_MiB_pass"].int),
                memoryMiB: try #require(known["ramMiB"].int), groupLimitMiB: group == 0 ? nil : group)
            let cost = calibration.cost(target: target)
            #expect(Int(cost.passes) == known["t"].int, "\(known)")
            #expect(Int(cost.memoryKiB) == known["mMiB"].int.map { $0 << 10 }, "\(known)")
        }
    }

    @Test("never goes below what may be written, nor above what may be read", arguments: [0, 1, 500, 60_000])
    func writable(milliseconds: Int) {
        for rate in [-1, 0, 1, 1000, 650_000, 1_000_000_000, Int.max] {
            for memory in [0, 1, 100, 511, 512, 2048, Int.max] {
                for group in [nil, 0, 16, 300, Int.max] {
                    let calibration = Argon2Calibration(
                        nanosecondsPerMiB: rate, memoryMiB: memory, groupLimitMiB: group)
                    #expect(calibration.cost(target: .milliseconds(milliseconds)).isWritable)
                }
            }
        }
    }

    @Test("measures a rate and the memory of this machine")
    func measurement() throws {
        let measured = try Argon2Calibration.measure()
        #expect((1000...10_000_000_000).contains(measured.nanosecondsPerMiB))
        #expect(measured.memoryMiB > 100)
        #expect(measured.cost().isWritable)
    }

    @Test("is not measured for ways that nobody types anything for")
    func unneeded() throws {
        let pin = try SecretBytes(test: "a passphrase")
        let known = Argon2Cost(passes: 2, memoryKiB: 19_456)
        #expect(try SlotRules.cost(of: [], besides: []) == nil)
        #expect(try SlotRules.cost(of: [.none, .hardware(.counter)], besides: []) == nil)
        #expect(try SlotRules.cost(of: [.pin(pin)], besides: [], nil, known) == known)
        #expect(try SlotRules.cost(of: [.none, .hardwareAndPIN(pin, .counter)], besides: [])?.isWritable == true)
        let low = Argon2Cost(passes: 1, memoryKiB: 8192)
        #expect(code { _ = try SlotRules.cost(of: [.none], besides: [], low) } == "configError")
    }

    @Test("reads the path of the group of version 2 among the others")
    func groupPath() {
        #expect(ControlGroup.path(ofGroups: "9:pids:/\n0::/user.slice/a\n") == "/user.slice/a")
        #expect(ControlGroup.path(ofGroups: "4:memory:/docker/1\n") == nil)
    }

    @Test("takes the least limit up to the root")
    func groupLimit() {
        let files = [
            "/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "536870912\n",
            "/sys/fs/cgroup/memory.max": "1073741824\n",
        ]
        #expect(ControlGroup.limitMiB(ofGroup: "/a/b") { files[$0] } == 512)
        #expect(ControlGroup.limitMiB(ofGroup: "/") { files[$0] } == 1024)
        #expect(ControlGroup.limitMiB(ofGroup: "/x") { _ in nil } == nil)
    }
}
