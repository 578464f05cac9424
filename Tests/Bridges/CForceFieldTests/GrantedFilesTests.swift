#if os(Linux)
    import CForceField
    import Foundation
    import Testing

    extension LiveTests {
        @Suite("Files of the policy where layers are missing")
        struct GrantedFilesTests {
            /// How a start of a worker with one file failed, nil if it did not.
            private func failure(
                granting host: String, at inside: String, off: [cforcefield_layer], missing: [cforcefield_layer] = []
            ) throws -> [Int32]? {
                let worker = try Worker { policy in
                    cforcefield_policy_add_file(&policy, host, inside)
                    policy.layers_off = off.reduce(0) { $0 | $1.rawValue }
                    policy.layers_may_miss |= missing.reduce(0) { $0 | $1.rawValue }
                }
                while let record = worker.next() {
                    if record.kind == cforcefield_started.rawValue { return nil }
                    if record.kind == cforcefield_stage_failed.rawValue {
                        return [Int32(record.stage_failed.stage), record.stage_failed.error]
                    }
                }
                return []
            }

            private let landlock = Int32(cforcefield_stage_landlock.rawValue)

            @Test("Landlock alone keeps the other files away")
            func landlockAlone() throws {
                let worker = try Worker { policy in
                    cforcefield_policy_add_file(&policy, "/dev/urandom", "/dev/urandom")
                    policy.layers_off = cforcefield_layer_empty_root.rawValue
                }
                _ = try worker.await(cforcefield_started)
                #expect(worker.ask(.open, 0) == 8)
                #expect(worker.ask(.open, 2) == Int64(-EACCES))
            }

            @Test("without empty root and Landlock nothing starts: all of the host's files could be read")
            func neither() throws {
                let told = try failure(
                    granting: "/dev/urandom", at: "/dev/urandom",
                    off: [cforcefield_layer_empty_root, cforcefield_layer_landlock])
                #expect(told == [landlock, EACCES])
            }

            @Test("a place that only an empty root could have costs the start, not Landlock")
            func noSuchPlace() throws {
                let told = try failure(
                    granting: "/dev/urandom", at: "/forcefield/no/such/place", off: [cforcefield_layer_empty_root],
                    missing: [cforcefield_layer_landlock])
                #expect(told == [landlock, EACCES])
            }

            @Test("a place at which the host has another file grants neither")
            func otherFile() throws {
                let told = try failure(
                    granting: "/dev/urandom", at: "/etc/passwd", off: [cforcefield_layer_empty_root])
                #expect(told == [landlock, ESTALE])
            }
        }
    }
#endif
