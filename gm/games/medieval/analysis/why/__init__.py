"""Why a turn came out as it did: answers from its events, orders and clauses, with figures."""
