import HardwareKeys
import Testing

@testable import MainKey

@Suite("What a Secure Enclave is asked to keep")
struct EnclaveBindingTests {
    @Test("is the key alone: a counter, a limit of PINs and registers are refused")
    func objections() throws {
        #expect(HardwareBinding.lockout.objectionOfEnclave == nil)
        let registers = try #require(TPMRegisterSelection([7]))
        for binding in [.counter, .hardLimit, HardwareBinding(.lockout, registers: registers)] {
            #expect(binding.objectionOfEnclave != nil, "\(binding)")
        }
    }
}
