import QRCode
import Testing

/// Whole symbols, made by an independent encoder (the MIT-licensed qrcodegen), so that each kind of content, level,
/// mask and pattern is checked module by module. The full set lies outside of this repository.
struct KnownSymbol: Sendable, CustomTestStringConvertible {
    let mode: QRMode
    /// Digits or characters, or bytes in hex.
    let content: String
    let level: QRLevel
    let version: Int
    let mask: Int
    let isMaskForced: Bool
    let raisesLevel: Bool
    /// Row by row, most significant bit first, 1 dark, in base64.
    let modules: String

    var testDescription: String { "\(mode), version \(version), level \(level), mask \(mask)" }

    static let all = [
        KnownSymbol(
            mode: .byte,
            content: "5095847f85df87662acc1f93fd2590e26b",
            level: .low, version: 1, mask: 2, isMaskForced: false, raisesLevel: false,
            modules: "/kP8F5Bugrt11dunrsFRB/qv4AsA+91WIS+S+pry8QVhIgBpu/pO0E7euqjF1PKuuDEFYA/vQwA="),
        KnownSymbol(
            mode: .byte,
            content: "39f3adaba09054c00e082b417b67930636c7f2b98f83e348",
            level: .high, version: 3, mask: 1, isMaskForced: false, raisesLevel: false,
            modules: """
                /loz/BZ+UG62Urt1+EXbrTKuwWOBB/qqr+ACwAAnsm32zw7+2e1pgGK2omu97asq7bJFLQl+MqOjR6ZbbdFECzzzpUDGcHQy\
                DfsO/wBUpH/7deqwVVUWukAf3dE6Nq68p9cEyAcP4g0wgA==
                """),
        KnownSymbol(
            mode: .byte,
            content: """
                0324212b583378297739954f9e091970de10b97b87580eb72a0035f6a71ffc411825df72a7cebe14aa13b01a39779697\
                1d48321a23bb9ce5552137f00ab71c2c
                """,
            level: .high, version: 7, mask: 1, isMaskForced: false, raisesLevel: false,
            modules: """
                /mV4Esv8F6MIypBupzEYtLt19CqcNduq9/njrsF6zGGhB/qqqqqv4AqtE4QAJ7yfyOX1goC1eLGVoSNtkxdSL1oVVxznwEHw\
                lAyRXexSziwKDseubA+OW/TgWoiv92XaYu85hI0vz8TZEq5RVCUOnhz4/vlw+mxoNFicYapg67yq4RTvGTkcj7L/5w+Yz+sZ\
                p76F1F4KRn7icg96bF+xZwT7dbjTmX/kDW/evdpaRIvKS7qFAuxSOpqF4zT2rqYC7emTip7xMLecmRmkNfp7/QBH7FM0W/uG\
                qlzq0FzZG3sbulePlc+F0RO1zdouucF4LfMEWc2YAU/k5TMflIA=
                """),
        KnownSymbol(
            mode: .byte,
            content: """
                d08a96d855fcecab8402bcd49e4b2d6cc762c1827c64b689da9e4a3c70514b4765a312127ee517d79123dc5f0474c7fd\
                0d749768455377a845e0846ef1fdf491a5596621abac3b6bcb28da717538c49eb63788fecbac947391d2ff69b93d57f1\
                1bf4d54d6cef43e0cab368e1fccc5ffe6f37cce65e21c6cd2b19d56bc1b48dcf2024631f122a1373615657ee391181c0\
                1f1e10d4d697f333e18bf377c11303375bf16fd9e4e3d9fb18b01f41fa9384072937eb72ab176ff1e49707f78a455e49\
                e58348763f1135a95d407c0142854ce1c5193cca328ca39d5a03505a90a635791d956887716bd407c301b13830436c15\
                91bc79e0fd9f5770eb67df3b072f403e95ab
                """,
            level: .quartile, version: 14, mask: 7, isMaskForced: false, raisesLevel: false,
            modules: """
                /qwa1jIuic6/wSAwieVMKkcQbq4eV7FGA60Lt1FvPraevHBl26Lxz/Yh+VQa7BS6xGdmRBRxB/qqqqqqqqqq/gEa9RLucbZi\
                AFfwu/inT83Sdp7Io7LVSzz2Ali/c8Wk7InkJX88apuhou4FY4UgFsUxkqJAyTFgriArFA9NQILYJCfltrjb5dxaP/HslhBL\
                nkAmwiLcpagsJ4MQeplyGuEbZscUlhP4rRU4DydAtlDg3Vo+/whOuThDTsIcGu44QBTcGP2TFFKLHsjUK6kXneNfW9OEnYaK\
                u6f1f7Tc/5t/ppL9fGPHxBkkW4jFurqoquMmrleqzx7wUWQdHbdR2/thD9hn/4K/y2uXhYDYwI44A8sKxFDrUpNayyBwbafd\
                b71U2cujyxRX6ILYd9SPQHTpl4FDjJS6QBbAK40YUY8oUXbPILk7eWD0IVdRD0FYwM4ORDl1Y8pGGItv69YKmBY2TpUbgNMx\
                0/rYf9Ymw5TdPGxvyReQtDCyysPxkXmFjQj2ihtTXF38HaZFkHsF9VEu/8p/n7P4Lx+gRWwEcJJG8VRjqxRGtfnrXR638RoX\
                GLdRPx8WL7NC+VKPuhb7HlijeL9wTVCXnc778KJOUDJtH4UoVNjd7kLyo2qYMTrBEc+X5i91i8YmFjquzhkNJLqcsbOR7Ajh\
                ezonASfB/Ffqp+Gwudd+aga8ZQE6RgPmE6WO5yn4qMwwoVUstw9BWdPLbU+ms5KJJrzkNJhPJirmRPzpIdtaU3a8MljcnBow\
                GgwiaDCr/FiKd6n+Kn+6NfyAUWtGWxxHDkR/qCjr2Z6hlCuwWo1RwOEWR7FbojyfnLP5Hq+V1icR1rsgs4Y66BPZfk5x3AcT\
                BXSU+ki9bc8k/lr1R1XttiapgA==
                """),
        KnownSymbol(
            mode: .byte,
            content: """
                81f01f7ce0cb5862549e963a88a4547eec46752820b64a8cbb69026917b06b3209e170929a693fcbee09809570bbbc6a\
                542f9cdf79a37ae62b4b8045ec1c3c71712e3d25c4fbb4683d89458dace2a3a761dcec7b9b65516ad07abcb077d59b66\
                d3bdff84
                """,
            level: .low, version: 5, mask: 3, isMaskForced: true, raisesLevel: false,
            modules: """
                /quq0/wT15UQbrmX7rt13o/126n74y7BGC4hB/qqqq/gBeRyAPK/TLzuQViRa1vG+kga28saGMfy7Rmg+E7MS95qwnhM/K60\
                yXGvZwasL2obaVX7soJWvyM9WEqU7hHbr6yF/uaOKS84glofl09A7pcYVwnmTuYvX46NqMcxTZzi8PqFOf0Ae+sEc/hKByuQ\
                TKTrErpMwi/V1DPmRy6x3DMJBT+0rg/s9HmtgA==
                """),
        KnownSymbol(
            mode: .byte,
            content: """
                81f01f7ce0cb5862549e963a88a4547eec46752820b64a8cbb69026917b06b3209e170929a693fcbee09809570bbbc6a\
                542f9cdf79a37ae62b4b8045ec1c3c71712e3d25c4fbb4683d89458dace2a3a761dcec7b9b65516ad07abcb077d59b66\
                d3bdff84
                """,
            level: .low, version: 5, mask: 6, isMaskForced: true, raisesLevel: false,
            modules: """
                /p1xu/wTNBsQboveyrt0GZOF26Vpqi7BFhbBB/qqqq/gFmpKANp2aCoPhkTgrH/Us2yJUfP5lvEpgK97msD0qFAr5uoF27LF\
                Dm0/LiI+YUL4520g3zSN0qkFu8St6oOSizD0Ofr8aAuqy2K8GXejgyHDOr/OrWgXu5zEjFVAioCTOf4XcPmAddPkf/iRaqtQ\
                TyrTEbqF5r+d1y+XgC6DlRebBQdXID/vmc92gA==
                """),
        KnownSymbol(
            mode: .byte,
            content: """
                81f01f7ce0cb5862549e963a88a4547eec46752820b64a8cbb69026917b06b3209e170929a693fcbee09809570bbbc6a\
                542f9cdf79a37ae62b4b8045ec1c3c71712e3d25c4fbb4683d89458dace2a3a761dcec7b9b65516ad07abcb077d59b66\
                d3bdff84
                """,
            level: .low, version: 5, mask: 7, isMaskForced: true, raisesLevel: false,
            modules: """
                /kgk6/wUy+TQbr6Lnrt05mx126g8/y7Baek9B/qqqq/gGZW1ANMjPXuwabsfU6qB5jncqgwGaQR81fou5D8LV61+s79QhA06\
                8ZJqe3drNq0HGJL1imHYh1L6RDtYv9bH3k4LxgUBPV7/nj0D5ohc1nSWb+ghUpfobsmR2QC7dX9szKtCJfyASiwcQ/vEP+oQ\
                QNUtHrpQs+/N1NBof+6WwELPBfio38/qzJojgA==
                """),
        KnownSymbol(
            mode: .numeric,
            content: "12345",
            level: .medium, version: 1, mask: 4, isMaskForced: false, raisesLevel: false,
            modules: "/pv8EhBuirt1RduursFZB/qv4B8Ai9fPxMsT5ONLTfdw4IBnH/oxUEMqupO90crujPkETW/s44A="),
        KnownSymbol(
            mode: .numeric,
            content: """
                999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999\
                999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999\
                99999999
                """,
            level: .medium, version: 5, mask: 0, isMaskForced: false, raisesLevel: false,
            modules: """
                /m0U8/wU7aVQbpt1TLt0sUVV26xdUS7BEFVVB/qqqq/gAEVWAKp8tFCWbglFkwG+rTWZASZpVVT9tVtFAJtbVVePA1TVWTNV\
                VVXyUVVBGgGoVUV5+RVSZ2s5llMxZtQ13WhXdYXM2y0tVVwsZVlVo/1dVVOL2Vd1a4PVVVKAqVVs+CATRf6ATVRUc/nc0yuQ\
                SBaXFbrOVb/V0UW1RW6+NU1zBJVVU0/sfVVQgA==
                """),
        KnownSymbol(
            mode: .alphanumeric,
            content: "HELLO WORLD",
            level: .low, version: 1, mask: 7, isMaskForced: false, raisesLevel: false,
            modules: "/iv8FVBurLt0FduvrsFxB/qv4BAA0zu3ZYRolZV7nnH3OoBDX/pssERoum9t1TrujdMFcZ/qVAA="),
        KnownSymbol(
            mode: .alphanumeric,
            content: "UR:BYTES/1-9/LPADASCFADAXCYWENBPLJKHDCAHKADAEMEJTSWHHYLK",
            level: .low, version: 3, mask: 6, isMaskForced: false, raisesLevel: false,
            modules: """
                /vcL/BDI0G6Urrt0YRXbo86uwSsFB/qqr+AZ4gDaSHoJ5TPncNLrvzkDbeTmdpIAdUsT/Ap9QJnDcp4ZTm9BgU70m8FH0ij9\
                neFS+IBm7F/4VKqQQ7MduvzvxdU/ba6Xco8FI3SP7iRnAA==
                """),
        KnownSymbol(
            mode: .byte,
            content: "f5d189573c9831256895",
            level: .quartile, version: 1, mask: 4, isMaskForced: false, raisesLevel: true,
            modules: "/nv8ElButrt0dduqrsFRB/qv4AQASqWlh9VPi2ezCejoQoBuw/lmcEdxuvr101vum0kFM4/hfIA="),
        KnownSymbol(
            mode: .byte,
            content: """
                8d21973236b51ee997d98d9d4d8872e054c61b6ec96bed8fc71b42804d2bd22395d723ecc09939fc1ad1534ccd5507bb\
                86bbe8556bb5409aaec8fc1f46780ffdcc54f18c3e824b997d577418e6c7f5d70eb6954ba26971946ce53351857392f1\
                6f345b60930d4c3d5c3a6197d68fb2f6c3e4612aa61cef69b62a582adccdcf8be7e068330805b619d5eb5ef11c47
                """,
            level: .low, version: 7, mask: 4, isMaskForced: false, raisesLevel: true,
            modules: """
                /sp/Yov8FAixwpBuvPV7NLt1NEwyNduk5PiXrsFQBGuBB/qqqqqv4AJBFMoAzhhP3Pl/oD8Urmo62k40FxnAFJDjDvDpIrDf\
                dKArdVbIHM1CJsZrhhSxEIL7AsdSISrNitCVm5tVvqm1nFr7v0ZiSe/8X/oJ/+Rp3GhkdOq/q/br4RJXEYkez5hvjN/LIn/p\
                AtenoMSmNiAi6MOnvye0N/VekkrIrfDl839GqK9oaxOOXykbA05cf+fpBJKQIwjC55vAVSrxmZ5o2tmno/2J+AB11F5Ub/nb\
                a26r8FBBHgMVupg/vE+N0Xvt0WnuiWsX/lsFrHtwyQ/vPW+eiIA=
                """),
    ]
}
