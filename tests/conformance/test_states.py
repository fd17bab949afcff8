from p2pfruit.conformance.test_states import *  # noqa: F403
