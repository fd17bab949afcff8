from p2pfruit.conformance.test_parts import *  # noqa: F403
