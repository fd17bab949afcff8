from p2pfruit.conformance.test_content import *  # noqa: F403
