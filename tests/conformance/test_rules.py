from p2pfruit.conformance.test_rules import *  # noqa: F403
