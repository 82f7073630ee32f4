"""YAML as people write it, read into typed values with the place of every fault."""
