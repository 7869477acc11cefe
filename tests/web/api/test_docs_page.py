import re

from starlette.testclient import TestClient


def test_the_page_lists_every_operation_and_asks_no_other_server(client: TestClient) -> None:
    schema = client.get("/api/openapi.json").json()
    page = client.get("/api/docs")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    for path, methods in schema["paths"].items():
        for method in methods:
            assert f'data-path="{path}" data-method="{method.upper()}"' in page.text
    assert not re.search(r"https?://", page.text)


def test_every_request_has_an_example_and_every_answer_a_form(client: TestClient) -> None:
    schema = client.get("/api/openapi.json").json()
    forms = schema["components"]["schemas"]
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert operation["tags"], path
            body = operation.get("requestBody")
            if body is not None:
                content = body["content"]["application/json"]["schema"]
                choice = content.get("anyOf", [content])[0]
                name = choice["$ref"].rpartition("/")[2]
                assert forms[name]["examples"], name
            good = [status for status in operation["responses"] if status.startswith("2")]
            assert good, (path, method)
            assert "HTTPValidationError" not in str(operation)


def test_forms_that_the_page_links_to_are_on_it(client: TestClient) -> None:
    text = client.get("/api/docs").text
    for name in set(re.findall(r'href="#(\w+)"', text)):
        assert f'id="{name}"' in text


def test_the_name_of_a_run_is_filled_in(client: TestClient) -> None:
    text = client.get("/api/docs").text
    assert 'name="run" data-place="path" aria-label="run" value="latest" required' in text
