import Foundation
import HardwareKeys
import Testing

@testable import Vigil

@Suite("Configurations")
struct VigilConfigurationTests {
    private static let required = #""product":"p","manifest":"/m","socketPath":"/s/v.sock","stateDirectory":"/d""#

    private func read(_ more: String = "") throws -> VigilConfiguration {
        try VigilConfiguration(parsing: [UInt8]("{\(Self.required)\(more.isEmpty ? "" : ",\(more)")}"))
    }

    private func isRefused(_ more: String, for role: Role) throws -> Bool {
        let configuration = try read(more)
        do throws(ConfigurationError) {
            try configuration.check(for: role)
            return false
        } catch {
            return true
        }
    }

    @Test(
        "a member that only the other side looks at is refused",
        arguments: [
            (Role.app, #""scanIntervalMs":100"#), (.app, #""grantFile":"/g""#), (.app, #""onTamper":["/t"]"#),
            (.app, #""installedGroup":990"#),
            (.app, #""provisioning":{"firstStart":true}"#), (.app, #""provisioning":{"windowSeconds":60}"#),
            (.validator, #""graceMs":0"#), (.validator, #""v1Nonce":"requireEcho""#),
        ])
    func foreign(role: Role, member: String) throws {
        #expect(try isRefused(member, for: role))
        #expect(try !isRefused(member, for: role.opposite))
    }

    @Test("whose a configuration is, is told by the end of its file's name, else by what it alone names")
    func role() throws {
        #expect(try read(#""graceMs":5"#).role(at: "/etc/vigil-validator.json") == .validator)
        #expect(try read(#""grantFile":"/g""#).role(at: "/etc/vigil-app.json") == .app)
        #expect(try read(#""graceMs":5"#).role(at: "/etc/other.json") == .app)
        #expect(try read(#""grantFile":"/g""#).role(at: "/etc/other.json") == .validator)
        #expect(try read().role(at: "/etc/other.json") == nil)
    }

    @Test("what both sides look at is taken by both")
    func shared() throws {
        let shared =
            #""allowedUids":[0],"timeoutMs":500,"provisioning":{"tokenFile":"/t","requireToken":false},"logLevel":"none""#
        for role in [Role.app, .validator] { #expect(try !isRefused(shared, for: role)) }
    }

    @Test("an app goes on after a finding, unless it is given a time")
    func grace() throws {
        #expect(try read().grace == nil)
        #expect(try read(#""graceMs":0"#).grace == .zero)
    }

    @Test("the group of the installed program is one that it has for itself")
    func installedGroup() throws {
        #expect(try read().installedGroup == nil)
        #expect(try read(#""installedGroup":990"#).installedGroup == 990)
        for number in ["0", "-1", "4294967295", "4294967296", #""990""#] {
            #expect(throws: ConfigurationError.self) { try read(#""installedGroup":"# + number) }
        }
    }

    @Test("where hardware is required, a TPM that is a program is the configuration's to name, and nobody else's")
    func softwareTPM() throws {
        let programs = [TPMAddress.unixSocket(path: "/s"), .tcp(host: "::1", port: 2321), .device(path: "/dev/pts/3")]
        let required = try read(#""requireHardware":true"#)
        for program in programs {
            let refusal = #expect(throws: ConfigurationError.self) { try required.tpm(named: program) }
            #expect(refusal?.description.contains("unset VIGIL_TPM") == true)
            #expect(try read().tpm(named: program) == program)
        }
        #expect(try required.tpm(named: .standard) == .standard)
        #expect(try required.tpm(named: nil) == nil)
        let named = try read(#""requireHardware":true,"tpm":"unix:/t""#)
        for other in [nil, .standard] + programs { #expect(try named.tpm(named: other) == .unixSocket(path: "/t")) }
        for text in ["none", "", "unix:t", "tcp:example.org:2321"] {
            #expect(throws: ConfigurationError.self) { try read(#""tpm":"\#(text)""#) }
        }
    }

    @Test("questions have to come before the verdict and the session end")
    func times() throws {
        let interval = #""intervalMs":1000,"jitterPercent":50,"timeoutMs":500"#
        #expect(try read(interval + #","ttlMs":2001,"sessionSeconds":3"#).interval == .seconds(1))
        for more in [#","ttlMs":2000"#, #","sessionSeconds":2"#, #","sessionSeconds":1"#] {
            #expect(throws: ConfigurationError.self) { try read(interval + more) }
        }
    }
}
