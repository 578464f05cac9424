import Testing

@testable import Gate

@Suite("The name that a service shows")
struct ServiceNameTests {
    @Test(
        "is the one that is wanted, or stands for it by one label",
        arguments: [
            ("gate.example", "gate.example"), ("Gate.Example", "gATE.eXAMPLE"), ("gate.example.", "gate.example"),
            ("a.gate.example", "*.gate.example"), ("localhost", "localhost"),
        ])
    func fits(_ wanted: String, _ shown: String) {
        #expect(ServiceName(wanted).fits(shown))
    }

    @Test(
        "is no other",
        arguments: [
            ("gate.example", "other.example"), ("gate.example", "gate.example.evil"),
            ("gate.example", "*.gate.example"),
            ("a.b.gate.example", "*.gate.example"), ("gate.example", "*"), ("gate.example", "g*.example"),
            (".gate.example", "*.gate.example"), ("gate.example", ""), ("localhost", "*.localhost"),
            ("a.gate.example", "b.*.example"),
        ])
    func differs(_ wanted: String, _ shown: String) {
        #expect(!ServiceName(wanted).fits(shown))
    }
}
