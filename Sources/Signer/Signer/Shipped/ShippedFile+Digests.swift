extension ShippedFile {
    /// SHA-256 by name, written by scripts/shipped-files.sh.
    static let digests = [
        "kusama.metadata": "59a26bccbec8120da233c718633cab93349d47c5be32a6fd8ca81764bc0bb752",
        "polkadot.metadata": "2450e1cf1972e01e5bee07790b4e85e0252a2300f1f8c633ba259c7528534813",
        "statemint.metadata": "759f489d0a93327e988b4bede15aeb42da0e7cad8b202903e4e17fec0efe245f",
        "westend.metadata": "5d8a08828ef09bad2c9bcf88c460be1cde8c6bdd9f9d563e2d9deaa69b930a22",
        "westend-batch.png": "ae748b97bf2045fce4d31ae6c2dea589924366dc2aa85158f14032ac09c4ed69",
    ]
}
