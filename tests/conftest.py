"""What every test may rely on: the same examples on every run, and `needs` for the rare machine."""

import os

from hypothesis import HealthCheck, settings

pytest_plugins = ("pytester", "tests.needs")

# Derandomized: a test that passed passes again, and nothing depends on the speed of the machine.
settings.register_profile(
    "short",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("long", settings.get_profile("short"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))
