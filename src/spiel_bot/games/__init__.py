"""Games: the contract, its checker, and the games themselves."""
