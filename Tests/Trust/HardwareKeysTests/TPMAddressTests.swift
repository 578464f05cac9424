import Testing

@testable import HardwareKeys

@Suite("Addresses of TPMs")
struct TPMAddressTests {
    @Test(
        "only the kernel's own names are taken for a TPM of the machine",
        arguments: [
            ("device:/dev/tpmrm0", false), ("device:/dev/tpm1", false), ("device:/dev/pts/3", true),
            ("device:/dev/tpmrm0/../pts/3", true), ("device:/tmp/tpmrm0", true), ("device:/dev/tpmrm", true),
            ("swtpm:path=/dev/tpmrm0", true), ("swtpm:host=::1,port=2321", true),
        ])
    func software(tcti: String, isSoftware: Bool) throws {
        #expect(try TPMAddress(tcti: tcti).isSoftware == isSoftware)
    }

    @Test(
        "the text of the TPM's tools is read, and written the same",
        arguments: [
            ("device:/dev/tpmrm0", TPMAddress.device(path: "/dev/tpmrm0")),
            ("swtpm:path=/run/tpm.sock", .unixSocket(path: "/run/tpm.sock")),
            ("swtpm:host=127.0.0.1,port=2321", .tcp(host: "127.0.0.1", port: 2321)),
            ("swtpm:host=::1,port=2321", .tcp(host: "::1", port: 2321)),
        ])
    func tcti(text: String, address: TPMAddress) throws {
        #expect(try TPMAddress(tcti: text) == address)
        #expect(address.description == text)
    }

    @Test("the settings of a port may come in either order")
    func order() throws {
        #expect(try TPMAddress(tcti: "swtpm:port=2321,host=localhost") == .tcp(host: "localhost", port: 2321))
    }

    @Test(
        "Vigil's text is read",
        arguments: [
            ("device:/dev/tpm0", TPMAddress.device(path: "/dev/tpm0")), ("unix:/run/s", .unixSocket(path: "/run/s")),
            ("tcp:127.0.0.1:2321", .tcp(host: "127.0.0.1", port: 2321)),
            ("tcp:[::1]:2321", .tcp(host: "::1", port: 2321)), ("none", nil),
        ])
    func vigil(text: String, address: TPMAddress?) throws {
        #expect(try TPMAddress.vigil(text) == address)
    }

    @Test(
        "a text that names no TPM, or one of another machine, is refused",
        arguments: [
            "", "device", "device:", "device:dev/tpm0", "device:/dev/a,b", "swtpm:", "swtpm:path=", "swtpm:path=a",
            "swtpm:path=/a,port=1", "swtpm:path=/a,path=/b", "swtpm:host=127.0.0.1", "swtpm:port=2321",
            "swtpm:host=10.0.0.1,port=2321", "swtpm:host=127.0.0.1,port=65535", "swtpm:host=127.0.0.1,port=0",
            "swtpm:host=127.0.0.1.example.org,port=1", "swtpm:host=0127.0.0.1,port=1", "swtpm:host=127.0.0.01,port=1",
            "swtpm:host=+127.0.0.1,port=1", "swtpm:path=/a=b", "swtpm:host=127.0.0,port=1",
            "mssim:host=127.0.0.1,port=1", "cmd:sh", "tcp:127.0.0.1:2321",
        ])
    func refused(text: String) {
        #expect(throws: HardwareKeyError.self) { try TPMAddress(tcti: text) }
    }

    @Test(
        "so is one in Vigil's form",
        arguments: [
            "", "none:", "unix:", "unix:s", "tcp:", "tcp:2321", "tcp:example.org:2321", "tcp:127.0.0.1:x",
            "tcp:0127.0.0.1:2321", "swtpm:path=/a",
        ])
    func vigilRefused(text: String) {
        #expect(throws: HardwareKeyError.self) { try TPMAddress.vigil(text) }
    }
}
