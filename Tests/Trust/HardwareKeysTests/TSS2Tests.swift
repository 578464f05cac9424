#if canImport(CTSS2)
    import CTSS2
    import CTSS2Sonames
    import Foundation
    import LateLibraries
    import Testing

    @testable import HardwareKeys

    @Suite("The library by which a TPM is reached")
    struct TSS2Tests {
        @Test("where it is missing, hardware is not there, and what is to be installed is said")
        func absent() throws {
            let names = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 2)
            names.initialize(repeating: nil, count: 2)
            names[0] = UnsafePointer(strdup("libtss2-none.so.0"))
            let library = LateLibrary<tss2_functions>(names, functions: tss2_function_names())
            let error = #expect(throws: HardwareKeyError.self) { try TSS2.functions(of: library) }
            guard case .unavailable(.noLibrary(let reason))? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.contains("libtss2-none.so.0"))
            #expect(error?.description.contains("libtss2-esys-3.0.2-0") == true)
        }

        @Test("its log is kept from the terminal from the start of the program on")
        func quiet() {
            // No connection of a test's sets it.
            #expect(getenv("TSS2_LOG").map { String(cString: $0) } == "all+NONE")
        }

        @Test("an address where nothing answers is no missing library")
        func unreachable() {
            #expect(throws: HardwareKeyError.unavailable(.notReachable(address: "swtpm:path=/none/such"))) {
                try TPM(at: .unixSocket(path: "/none/such"))
            }
        }
    }
#endif
