import GateRules
import GateServer
import Testing

@Suite("Settings that need more than their value")
struct SettingTests {
    @Test("new receipts are not asked for, which is said")
    func riskRefresh() async {
        await #expect {
            _ = try await ServerSite(["RISK_REFRESH": "true", "RISK_KEY_PATH": "/key.p8", "RISK_KEY_ID": "ABCDE12345"])
        } throws: { error in
            if case .setting(.riskRefresh, _)? = error as? GateServerError { true } else { false }
        }
    }
}
