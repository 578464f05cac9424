import CLinux
import Testing

@Suite("Process hardening")
struct HardeningTests {
    @Test("a hardened process leaves no core dump and runs no crash handler")
    func hardened() async {
        // In a process of its own: a crash of another test is told of by the handler that this one takes away.
        await #expect(processExitsWith: .success) {
            #expect(clinux_harden_process() == 0)
            #expect(clinux_is_hardened() == 1)
        }
    }

    @Test("the size of something that is no terminal is an error")
    func noTerminal() {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        #expect(clinux_terminal_size(-1, &columns, &rows) == -1)
    }
}
