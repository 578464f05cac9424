// Signer: the rules of the product.
