import Foundation
import Testing

@testable import ForceField

@Suite("The host's control groups")
struct ControlGroupsTests {
    private static let hybrid = """
        25 24 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw
        31 25 0:28 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
        32 25 0:29 / /sys/fs/cgroup/pids rw,relatime shared:9 - cgroup cgroup rw,pids
        """

    @Test("of version 1 lie below their controllers' mounts")
    func versionOne() throws {
        let groups = try #require(
            ControlGroups(memberships: "8:pids:/\n4:memory:/a/b\n0::/\n", mounts: Self.hybrid) { _ in true })
        #expect(
            groups.parents == [
                .init(kind: .memory, path: "/sys/fs/cgroup/memory/a/b"),
                .init(kind: .processes, path: "/sys/fs/cgroup/pids"),
            ])
    }

    @Test("are found in a container, whose mount shows a part")
    func container() throws {
        let mounts = "31 25 0:28 /docker/1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"
        let groups = try #require(ControlGroups(memberships: "4:memory:/docker/1\n", mounts: mounts) { _ in true })
        #expect(groups.parents == [.init(kind: .memory, path: "/sys/fs/cgroup/memory")])
        #expect(ControlGroups(memberships: "4:memory:/docker/10\n", mounts: mounts) { _ in true } == nil)
    }

    @Test("are none where nothing may be made")
    func readOnly() {
        #expect(ControlGroups(memberships: "4:memory:/\n8:pids:/\n", mounts: Self.hybrid) { _ in false } == nil)
    }

    @Test("are none where the system says nothing that can be read", arguments: ["", "::", "x", "4:memory"])
    func nonsense(text: String) {
        #expect(ControlGroups(memberships: text, mounts: text) { _ in true } == nil)
    }

    /// A folder that looks like a group of version 2.
    private func group(_ files: [String: String]) throws -> (group: UnifiedGroup, folder: URL) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        return (UnifiedGroup(path: folder.path, mountPoint: folder.path), folder)
    }

    @Test("of version 2 are had where a group is handed over, has the controllers, and holds this process alone")
    func versionTwo() throws {
        let own = "\(getpid())\n"
        let good = [
            "cgroup.controllers": "cpu memory pids\n", "cgroup.subtree_control": "", "cgroup.type": "domain\n",
            "cgroup.procs": own,
        ]
        func refusal(
            _ change: (inout [String: String]) -> Void, isWritable: Bool = true
        ) throws -> UnifiedGroup.Refusal? {
            var files = good
            change(&files)
            let (group, folder) = try group(files)
            defer { try? FileManager.default.removeItem(at: folder) }
            return group.refusal { _ in isWritable }
        }
        #expect(try refusal { _ in } == nil)
        #expect(try refusal({ _ in }, isWritable: false) == .notWritable)
        #expect(try refusal { $0["cgroup.procs"] = own + "1\n" } == .shared)
        #expect(try refusal { $0["cgroup.controllers"] = "cpu memory\n" } == .noControllers)
        // The root of the machine's own hierarchy has no type, and is its administrator's.
        #expect(try refusal { $0["cgroup.type"] = nil } == .notDelegated)
        // Where the controllers are handed down already nothing has to move.
        #expect(
            try refusal {
                $0["cgroup.subtree_control"] = "memory pids\n"
                $0["cgroup.procs"] = "1\n"
            } == nil)
    }

    @Test("of version 2 that cannot be had leave nothing behind")
    func versionTwoFails() throws {
        // No group of the kernel's: nothing can move there.
        let (group, folder) = try group([
            "cgroup.controllers": "memory pids\n", "cgroup.subtree_control": "", "cgroup.type": "domain\n",
            "cgroup.procs": "\(getpid())\n",
        ])
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: UnifiedGroup.Refusal.notWritable) { _ = try group.prepare { _ in true } }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.filter { $0.hasPrefix("forcefield") } == [])
    }

    @Test("that are missing are explained with what helps")
    func obstacles() {
        for obstacle in [Obstacle.groupNotDelegated, .sharedGroup] {
            #expect(obstacle.remedy.contains("systemd-run --user --scope -p Delegate=yes"))
        }
        #expect(Obstacle.groupControllers.remedy.contains("Delegate=memory pids"))
    }

    @Test("of hosts that are gone are removed; those of others, new ones and what is no group of a host stay")
    func leftovers() throws {
        let parent = FileManager.default.temporaryDirectory.appending(path: "groups-\(UUID())")
        defer { try? FileManager.default.removeItem(at: parent) }
        // Numbers of processes end far below.
        let gone = Int32.max - 7
        let stay = ["forcefield-\(getpid())-1", "forcefield-\(gone)-new", "forcefield-0-1", "a-\(gone)-1"]
        for name in stay + ["forcefield-\(gone)-1", "forcefield-\(gone)-2"] {
            let folder = parent.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let age: TimeInterval = name.hasSuffix("-2") ? 10 : 3600
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: folder.path)
        }
        ControlGroups.removeLeftovers(below: parent.path)
        let left = try FileManager.default.contentsOfDirectory(atPath: parent.path)
        #expect(Set(left) == Set(stay + ["forcefield-\(gone)-2"]))
    }
}
