import Testing

@testable import ForceField

/// Tests with real workers. One after the other: some look at what the whole process holds.
///
/// The limit of time is for what would else wait for ever. It is more than the slowest machine needs.
@Suite(
    "Running workers", .serialized, .timeLimit(.minutes(30)),
    .enabled(
        if: LayerReport.machine.missing.isEmpty, "this machine lacks a layer of the force field (forcefield doctor)"))
enum RunningTests {}
