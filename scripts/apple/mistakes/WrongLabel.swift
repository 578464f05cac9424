// both: incorrect argument label in call (have '_:clientData:', expected '_:clientDataHash:')
import DeviceCheck
import Foundation

func attest(_ key: String, _ hash: Data) async throws -> Data {
    try await DCAppAttestService.shared.attestKey(key, clientData: hash)
}
