from p2pfruit.conformance.test_anything import *  # noqa: F403
