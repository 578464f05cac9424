import CForceField

/// What the kernel tells a filter of a system call (`struct seccomp_data`).
package struct SystemCall: Sendable {
    package var number: UInt32
    package var architecture: UInt32
    package var arguments: [UInt64]

    /// - Parameter arguments: six.
    package init(number: UInt32, architecture: UInt32, arguments: [UInt64] = [0, 0, 0, 0, 0, 0]) {
        self.number = number
        self.architecture = architecture
        self.arguments = arguments
    }

    fileprivate func word(at offset: UInt32) -> UInt32? {
        switch offset {
        case 0: return number
        case 4: return architecture
        case 16..<64 where offset % 4 == 0:
            let argument = arguments[Int(offset - 16) / 8]
            return UInt32(truncatingIfNeeded: offset % 8 == 0 ? argument : argument >> 32)
        default: return nil
        }
    }
}

/// A machine for classic BPF, as strict as the kernel's check of a filter: only the instructions that a filter may
/// have, only forward, only inside.
package struct FilterInterpreter: Sendable {
    package enum Fault: Error, Equatable {
        case outside(Int)
        case instruction(UInt16)
        case offset(UInt32)
    }

    package let program: [cforcefield_instruction]

    package init(program: [cforcefield_instruction]) { self.program = program }

    /// The filter of a worker.
    ///
    /// - Parameter process: that signals may go to.
    package init(_ architecture: UInt32, _ options: [cforcefield_filter_options], process: Int32 = 2) {
        var program = [cforcefield_instruction](
            repeating: cforcefield_instruction(), count: Int(CFORCEFIELD_MOST_INSTRUCTIONS))
        let word = options.reduce(0) { $0 | $1.rawValue }
        let count = cforcefield_filter_build(architecture, word, process, &program, program.count)
        self.program = Array(program.prefix(count))
    }

    package func run(_ call: SystemCall) throws(Fault) -> UInt32 {
        var accumulator: UInt32 = 0
        var index = 0
        while true {
            guard program.indices.contains(index) else { throw .outside(index) }
            let instruction = program[index]
            index += 1
            switch instruction.code {
            case 0x20:  // LD W ABS
                guard let word = call.word(at: instruction.k) else { throw .offset(instruction.k) }
                accumulator = word
            case 0x54: accumulator &= instruction.k  // ALU AND K
            case 0x05: index += Int(instruction.k)  // JMP JA
            case 0x15: index += jump(instruction, accumulator == instruction.k)  // JEQ
            case 0x35: index += jump(instruction, accumulator >= instruction.k)  // JGE
            case 0x06: return instruction.k  // RET K
            default: throw .instruction(instruction.code)
            }
        }
    }

    private func jump(_ instruction: cforcefield_instruction, _ holds: Bool) -> Int {
        Int(holds ? instruction.jump_true : instruction.jump_false)
    }
}

/// What a filter answers.
package enum FilterAnswer: Hashable, Sendable {
    case allow
    case killProcess
    case notify
    case error(Int32)

    package init?(_ word: UInt32) {
        switch word & 0xffff_0000 {
        case 0x7fff_0000: self = .allow
        case 0x8000_0000: self = .killProcess
        case 0x7fc0_0000: self = .notify
        case 0x0005_0000: self = .error(Int32(word & 0xffff))
        default: return nil
        }
    }
}
