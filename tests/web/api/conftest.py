from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from tests.web.api.served import client_of

from spiel_bot.web.settings import ServeSettings


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of the API over a store that does not exist yet; one for all tests of a file."""
    store = tmp_path_factory.mktemp("served") / "store"
    with client_of(ServeSettings(store_path=store)) as client:
        yield client
