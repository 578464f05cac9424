#if canImport(CSystemd)
    import CSystemd
    import Foundation
    import LateLibraries
    import Testing

    @testable import MainKeyLogind

    @Suite("The library by which logind is heard")
    struct SystemBusTests {
        @Test("where it is missing nothing is heard, as without a bus, and what is to be installed is said")
        func absent() throws {
            let names = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 2)
            names.initialize(repeating: nil, count: 2)
            names[0] = UnsafePointer(strdup("libsystemd-none.so.0"))
            let library = LateLibrary<systemd_functions>(names, functions: systemd_function_names())
            let failure = #expect(throws: SystemBus.Failure.self) { try SystemBus(at: SystemBus.address, by: library) }
            #expect(failure?.isAbsence == true)
            #expect(failure?.description.contains("libsystemd-none.so.0") == true)
            #expect(failure?.description.contains("install libsystemd0") == true)
        }
    }
#endif
