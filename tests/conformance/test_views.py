from p2pfruit.conformance.test_views import *  # noqa: F403
