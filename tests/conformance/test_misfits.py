from p2pfruit.conformance.test_misfits import *  # noqa: F403
