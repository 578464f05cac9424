internal import AppAttest
internal import NIOCore

/// Apple's service for the bits of devices, asked over HTTPS: one connection for each question.
///
/// Source: `appattest-gate` section 1.9.
struct AppleDeviceService: DeviceBitsService {
    private static let maximumBytes = 4 << 10

    let access: ReceiptServiceAccess
    let group: any EventLoopGroup
    let random: any RandomSource

    func exchange(
        _ token: [UInt8], _ environment: AppAttestEnvironment, setting bits: DeviceBits?, now: Timestamp
    ) async throws(ReceiptServiceFailure) -> DeviceCheck.Answer {
        let body = DeviceCheck.body(of: token, transaction: random.bytes(16), now: now, bits: bits)
        do {
            let answer = try await AppleQuestion(
                host: DeviceCheck.host(of: environment),
                path: bits == nil ? DeviceCheck.queryPath : DeviceCheck.updatePath,
                authorization: "Bearer \(try access.token.token(at: .init(milliseconds: now.milliseconds)))",
                contentType: "application/json", body: body, maximumBytes: Self.maximumBytes,
                timeout: access.deviceTimeout
            ).ask(access, group)
            return DeviceCheck.answer(status: answer.status, body: answer.body, isUpdate: bits != nil)
        } catch let error as ReceiptServiceFailure {
            throw error
        } catch {
            throw ReceiptServiceFailure(DialFailure(error).text)
        }
    }
}
