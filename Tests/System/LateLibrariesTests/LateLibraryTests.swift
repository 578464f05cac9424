#if os(Linux)
    import CLinux
    import Foundation
    import TestSupport
    import Testing

    @testable import LateLibraries

    /// Texts that end with nil, for as long as the process lives.
    private func names(_ texts: String...) -> UnsafePointer<UnsafePointer<CChar>?> {
        let names = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count + 1)
        names.initialize(repeating: nil, count: texts.count + 1)
        for (index, text) in texts.enumerated() { names[index] = UnsafePointer(strdup(text)) }
        return UnsafePointer(names)
    }

    private struct Lengths {
        let fdim: @convention(c) (Double, Double) -> Double
        let hypot: @convention(c) (Double, Double) -> Double
    }

    @Suite("Libraries that are opened late")
    struct LateLibraryTests {
        @Test("functions are those of the library, at one place for all")
        func opened() throws {
            let library = LateLibrary<Lengths>(names("libm.so.6"), functions: names("fdim", "hypot"))
            let lengths = try library.opened()
            #expect(lengths.pointee.fdim(7, 4) == 3 && lengths.pointee.hypot(3, 4) == 5)
            #expect(try library.opened() == lengths)
        }

        @Test("the addresses are in memory that is closed to writing")
        func closed() throws {
            let lengths = try LateLibrary<Lengths>(names("libm.so.6"), functions: names("fdim", "hypot")).opened()
            let address = UInt(bitPattern: lengths)
            let line = try KernelFile.text("/proc/self/maps").split(separator: "\n").first {
                let ends = $0.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                return ends.count == 2 && ends[0] <= address && address < ends[1]
            }
            #expect(line?.split(separator: " ")[1] == "r--p")
        }

        @Test("a library that is not installed is named, and so is a function that it has not")
        func absent() {
            let missing = LateLibrary<Lengths>(names("libnone-such.so.7"), functions: names("fdim", "hypot"))
            #expect { try missing.opened() } throws: { "\($0)".contains("libnone-such.so.7") }
            let half = LateLibrary<Lengths>(names("libm.so.6", "libnone-such.so.7"), functions: names("fdim", "hypot"))
            #expect { try half.opened() } throws: { "\($0)".contains("libnone-such.so.7") }
            let old = LateLibrary<Lengths>(names("libm.so.6"), functions: names("fdim", "none_such"))
            #expect(throws: LateLibraryAbsence(reason: "libm.so.6 has no function none_such")) { try old.opened() }
        }

        @Test("no more are opened than there is room for")
        func many() {
            let soname = "libm.so.6"
            let library = LateLibrary<Lengths>(
                names(soname, soname, soname, soname, soname, soname, soname, soname, soname),
                functions: names("fdim", "hypot"))
            #expect(throws: LateLibraryAbsence.self) { try library.opened() }
        }
    }
#endif
