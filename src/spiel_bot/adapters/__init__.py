"""Our games under the interfaces of other frameworks; each adapter needs its extra."""
