import ArgumentParser

struct RQ: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rq", abstract: "The fountain code alone (RaptorQ, RFC 6330), without pictures.",
        subcommands: [RQEncode.self, RQDecode.self, RQInformation.self, RQPlanStats.self, RQBench.self])
}
