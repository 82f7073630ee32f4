"""Why a turn came out as it did: answers made of its events, its orders and the clauses, with their figures."""
