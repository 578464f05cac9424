import SecretMemory
import SplitBackup

extension FuzzTarget {
    static let backupShare = FuzzTarget(
        name: "backup-share",
        seeds: [
            #"{"v":1,"t":"","r":2,"d":"8AWJzhJWnUuiq8wbJj7UaNP0zTFQmPQ==","n":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
            #"{"t":"T","r":1,"d":"80a0bff","n":"000102030405060708090a0b0c0d0e0f1011121314151617"}"#,
            #"{ "n": "AAAA", "d": "kAAAHKg==", "r": 3, "t": "\u042d", "v": 1, "x": [] }"#,
        ].map { Array($0.utf8) }
    ) { bytes in
        _ = BackupShare.isPlausible(bytes)
        guard let share = try? BackupShare(reading: bytes) else { return }
        _ = share.utf8
        guard var set = try? ShareSet(share) else { return }
        try? set.add(share)
    }
}
