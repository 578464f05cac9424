import Foundation
import MainKey
import Measuring

/// Values of 64 bytes through the public interface.
struct SmallValues {
    let vault: MainKeyVault

    func run() throws {
        try vault.withUnlocked { vault in
            let place = SealedPurpose.column(table: "user", column: "email")
            let value = Data(repeating: 7, count: 64)
            let sealed = try vault.seal(value, place, row: .rowID(1))
            report(
                "seal_64B",
                try best(rounds: 15, repeats: 5000) {
                    _ = try vault.seal(value, place, row: .rowID(1))
                })
            report(
                "open_64B",
                try best(rounds: 15, repeats: 5000) {
                    _ = try vault.open(sealed, as: Data.self, place, row: .rowID(1))
                })
            report(
                "blind_index",
                try best(rounds: 15, repeats: 5000) {
                    _ = try vault.blindIndex("anna@example.org", table: "user", column: "email")
                })
        }
    }
}
