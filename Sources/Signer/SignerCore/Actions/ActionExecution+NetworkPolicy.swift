import BasicFoundation
import Navigator
import Signer

/// What the vault lets pass of a connected machine.
extension ActionExecution {
    /// What is to be let pass, as a page gives it; an empty list is strict.
    private struct Wanted: Decodable {
        var allowed: [String]
    }

    /// Changes what is let pass. Whoever does has to show the right to it, also where the vault is open; what cannot be
    /// read changes nothing.
    func setsNetworkPolicy() -> Bool {
        succeeds {
            guard let wanted = try? JSONDecoder().decode(Wanted.self, from: Data(data.utf8)),
                let allowance = NetworkAllowance(names: wanted.allowed)
            else { throw CoreError.networkPolicyMalformed }
            try host.authenticate(credential ?? secret)
            try vault().setNetworkAllowance(allowance)
        }
    }

    /// What counted as safe by the policy of before may not be so now, and the other way round.
    func lookAnew() { detector = host.detector() }
}
