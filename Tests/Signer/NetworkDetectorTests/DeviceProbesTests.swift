#if os(Linux)
    import Files
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import NetworkDetector

    @Suite("Radios and USB controllers")
    struct DeviceProbesTests {
        private final class Place {
            let folder: TemporaryFolder

            init() throws { folder = try TemporaryFolder() }

            func path(_ name: String) -> FilePath { FilePath(folder.path(name)) }

            func write(_ text: String, to name: String) throws {
                // In place, as the kernel changes its files.
                if let handle = FileHandle(forUpdatingAtPath: folder.path(name)) {
                    try handle.truncate(atOffset: 0)
                    try handle.write(contentsOf: Data(text.utf8))
                    try handle.close()
                } else {
                    try folder.write(text, to: name)
                }
            }
        }

        /// A pipe in the place of rfkill's device.
        private struct Device {
            let place = try! Place()
            let descriptor: CInt

            init() throws {
                let path = place.path("rfkill").string
                try #require(mkfifo(path, 0o600) == 0)
                descriptor = open(path, O_RDWR | O_CLOEXEC)
                try #require(descriptor >= 0)
            }

            var radios: Radios { Radios(device: place.path("rfkill"), list: place.path("none")) }

            func send(_ index: UInt8, type: UInt8, operation: UInt8, soft: UInt8 = 0, hard: UInt8 = 0) {
                send([index, 0, 0, 0, type, operation, soft, hard])
            }

            func send(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }
        }

        @Test("a radio is up unless it is blocked by a switch or by a program")
        func radios() throws {
            let device = try Device()
            var radios = device.radios
            #expect(radios.look().now == .quiet)
            device.send(0, type: 1, operation: 0, soft: 1)
            device.send(1, type: 2, operation: 0, hard: 1)
            #expect(radios.look().now == .quiet)
            device.send(0, type: 1, operation: 2)
            #expect(radios.look().now == .up(["wireless LAN 0"]))
            device.send(1, type: 2, operation: 2)
            #expect(radios.look().now == .up(["Bluetooth 1", "wireless LAN 0"]))
            device.send(0, type: 1, operation: 1)
            device.send(1, type: 2, operation: 2, soft: 1)
            #expect(radios.look().now == .quiet)
            close(device.descriptor)
        }

        @Test("receivers alone are none, and every kind of sender is one")
        func kinds() throws {
            let device = try Device()
            var radios = device.radios
            for (index, type) in ([6, 7, 0, 99] as [UInt8]).enumerated() {
                device.send(UInt8(index), type: type, operation: 0)
            }
            #expect(radios.look().now == .quiet)
            for (index, type) in ([1, 2, 3, 4, 5, 8] as [UInt8]).enumerated() {
                device.send(UInt8(index), type: type, operation: 0)
            }
            guard case .up(let names) = radios.look().now else {
                Issue.record("the radios are not up")
                return
            }
            #expect(names.count == 6)
            close(device.descriptor)
        }

        @Test("a radio that was free for a moment between two looks is told")
        func moment() throws {
            let device = try Device()
            var radios = device.radios
            _ = radios.look()
            device.send(3, type: 5, operation: 0)
            device.send(3, type: 5, operation: 2, soft: 1)
            let (meanwhile, now) = radios.look()
            #expect(meanwhile == ["mobile network 3"] && now == .quiet)
            #expect(radios.look().meanwhile.isEmpty)
            close(device.descriptor)
        }

        @Test("what is no event of rfkill is a failure, for good")
        func malformed() throws {
            let device = try Device()
            var radios = device.radios
            device.send([1, 2, 3])
            #expect(radios.look().now.isFailed && radios.descriptor == -1)
            close(device.descriptor)
        }

        @Test("without rfkill there are no radios, unless the kernel lists some")
        func absent() throws {
            let place = try Place()
            var radios = Radios(device: place.path("rfkill"), list: place.path("list"))
            #expect(radios.look().now == .quiet)
            try place.write("", to: "list/rfkill0")
            #expect(radios.look().now.isFailed)
            var folder = Radios(device: place.path("list/rfkill0/rfkill"), list: place.path("none"))
            #expect(folder.look().now.isFailed)
        }

        @Test("a USB controller that a host has configured is up")
        func gadgets() throws {
            let place = try Place()
            var gadgets = Gadgets(list: place.path("udc"))
            #expect(gadgets.look() == .quiet)
            try place.write("not attached\n", to: "udc/one/state")
            try place.write("addressed\n", to: "udc/two/state")
            #expect(gadgets.look() == .quiet && gadgets.descriptors.count == 2 && gadgets.openings == 2)
            try place.write("configured\n", to: "udc/two/state")
            #expect(gadgets.look() == .up(["two"]))
            try FileManager.default.removeItem(at: place.folder.url.appending(path: "udc/two"))
            #expect(gadgets.look() == .quiet && gadgets.descriptors.count == 1)
            // One for another may have the number of that one.
            try FileManager.default.removeItem(at: place.folder.url.appending(path: "udc/one"))
            try place.write("addressed\n", to: "udc/four/state")
            #expect(gadgets.look() == .quiet && gadgets.descriptors.count == 1 && gadgets.openings == 3)
            try FileManager.default.removeItem(at: place.folder.url.appending(path: "udc/four/state"))
            try FileManager.default.createDirectory(
                at: place.folder.url.appending(path: "udc/three/state"), withIntermediateDirectories: true)
            #expect(gadgets.look().isFailed)
        }

        @Test("what another thread's look was the first to open is watched, too")
        func openedElsewhere() throws {
            let place = try Place()
            var places = KernelProbes.Places.nowhere
            places.radioDevice = place.path("rfkill")
            let watch = try KernelWatch(places)
            while watch.nextReport() != nil {}
            // The watch's own thread sleeps by then.
            usleep(200_000)
            try #require(mkfifo(places.radioDevice.string, 0o600) == 0)
            let device = open(places.radioDevice.string, O_RDWR | O_CLOEXEC)
            try #require(device >= 0)
            defer { close(device) }
            watch.look()
            usleep(200_000)
            // Nobody looks from here on.
            let radio: [UInt8] = [0, 0, 0, 0, 1, 0, 0, 0]
            try #require(write(device, radio, radio.count) == radio.count)
            var found: [NetworkReport.Finding?] = []
            while found.last != .up(["wireless LAN 0"]) {
                var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
                try #require(poll(&request, 1, 60_000) == 1)
                while let report = watch.nextReport() { found.append(report.findings[.radios]) }
            }
        }

        @Test("the probes of this machine answer")
        func here() throws {
            let probes = try KernelProbes(.init())
            let report = try #require(probes.taken().last)
            #expect(Set(report.findings.keys) == Set(NetworkReport.Probe.allCases))
            #expect(report.findings[.interfaces]?.isFailed == false && report.findings[.routes]?.isFailed == false)
            let watch = try SystemNetwork.watch()
            #expect(watch.nextReport() != nil && isReadable(watch.descriptor) == false)
        }
    }
#endif
