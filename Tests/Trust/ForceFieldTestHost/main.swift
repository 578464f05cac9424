import CLinux
import ForceField
import ForceFieldTestMethods
import Glibc

/// A host for tests that end, stop or confine one. Its worker lies beside it.
///
///     call: makes one call and prints the layers.
///     hidden-call: the same by a process that cannot be looked into, as one with keys is.
///     linger: makes one call, prints the warden's pid and stays.
///     rest: the same after two hundred calls.
///     freeze: as linger, goes to the background for 100 ms, and stops itself.
///     workers COUNT: lets so many workers answer, each once. Prints how many there were, and what this process holds
///         before and after: descriptors, threads, children and mounts.
///     flood ACT: lets a worker do that until its time is over; prints how many bytes this process grew.
///     deaths COUNT: ends so many starts, each a little later; prints whether calls were lost, and how many children
///         are left.
///     exhaustion: starts with too few descriptors; prints the same.
///     items: opens a stream without end and takes nothing of it for a while; prints how many bytes this process grew.
func run(_ verb: String, argument: Int) async throws {
    if verb == "hidden-call" { clinux_harden_process() }
    switch verb {
    case "workers": return try await Holdings.compare(over: argument)
    case "flood": return try await Growth.underFlood(of: HostileAct(rawValue: UInt8(argument)) ?? .echo)
    case "deaths": return try await Ordeals.deaths(argument)
    case "exhaustion": return try await Ordeals.exhaustion()
    case "items": return try await Growth.underItems()
    default: break
    }
    let field = try ForceField(
        worker: .beside("HostileWorker"),
        policy: Policy {
            $0.startTimeout = .seconds(300)
            $0.shutdownGrace = .seconds(300)
        },
        interface: Hostile.interface())
    guard try await field.call(Hostile.act, [HostileAct.echo.rawValue, 42]) == [42] else { exit(3) }
    switch verb {
    case "call", "hidden-call":
        print(field.layers.states.filter(\.isPresent).map(\.layer.rawValue).joined(separator: " "))
        await field.terminate()
    case "linger", "rest", "freeze":
        if verb == "rest" {
            for _ in 0..<200 { _ = try await field.call(Hostile.act, [HostileAct.echo.rawValue]) }
        }
        // Through to whoever waits for it: all streams are flushed.
        print(field.summary.wardenIDs[0])
        fflush(nil)
        if verb == "freeze" {
            field.enterBackground(grace: .milliseconds(100))
            raise(SIGSTOP)
        }
        try await Task.sleep(for: .seconds(3_600))
    default: exit(2)
    }
}

let arguments = CommandLine.arguments.dropFirst()
do {
    try await run(arguments.first ?? "", argument: arguments.dropFirst().first.flatMap { Int($0) } ?? 0)
} catch {
    print(error)
    exit(1)
}
