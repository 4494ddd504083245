"""One cluster for the tests of a file: `cluster`, and a session on it, `spark`. Skipped, with the reason, where Spark is missing."""
import pytest

import standalone


@pytest.fixture(scope="session")
def cluster():
    if reason := standalone.missing():
        pytest.skip(reason)
    with standalone.Cluster() as started:
        yield started


@pytest.fixture(scope="session")
def spark(cluster):
    session = cluster.session()
    yield session
    session.stop()
