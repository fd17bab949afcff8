from p2pfruit.conformance.test_leaving import *  # noqa: F403
