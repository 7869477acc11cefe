"""The OpenAPI page: every operation with its fields, examples and a form to try it.

FastAPI's own page asks another server for its scripts; this one is made of the schema alone.
"""

import json
from html import escape
from pathlib import Path
from string import Template
from typing import Any

TEMPLATE = Template(Path(__file__).with_name("docs_page.html").read_text(encoding="utf-8"))

Schema = dict[str, Any]


def docs_page(schema: Schema) -> str:
    """Return the page of an OpenAPI schema."""
    about = schema["info"]
    parts = [f"<p>{escape(text)}</p>" for text in about.get("description", "").split("\n\n")]
    for tag in schema.get("tags", []):
        parts.append(f"<h2>{escape(tag['name'])}</h2><p>{escape(tag['description'])}</p>")
        parts += [
            operation_html(schema, path, method, operation)
            for path, methods in schema["paths"].items()
            for method, operation in methods.items()
            if tag["name"] in operation.get("tags", [])
        ]
    parts.append("<h2>forms</h2>")
    for name, form in schema["components"]["schemas"].items():
        if form.get("properties"):
            parts.append(form_html(name, form))
    return TEMPLATE.substitute(
        title=escape(about["title"]), version=escape(about["version"]), content="\n".join(parts)
    )


def operation_html(schema: Schema, path: str, method: str, operation: Schema) -> str:
    """Return one operation: what it does, what it takes, what it answers, and a form."""
    verb = method.upper()
    rows = [parameter_row(one) for one in operation.get("parameters", [])]
    table = f"<table>{''.join(rows)}</table>" if rows else ""
    body = body_html(schema, operation)
    answers = "".join(
        f"<tr><td>{escape(status)}</td><td>{answer_html(answer)}</td></tr>"
        for status, answer in operation["responses"].items()
    )
    return (
        f'<details id="{escape(operation["operationId"])}"><summary>'
        f'<span class="method {verb}">{verb}</span> <code>/api{escape(path)}</code> '
        f"{escape(operation.get('description') or operation['summary'])}</summary>"
        f'<form data-path="{escape(path)}" data-method="{verb}">{table}{body}'
        f'<button>Send</button><pre hidden aria-live="polite"></pre></form>'
        f"<table><tr><th>status</th><th>answer</th></tr>{answers}</table></details>"
    )


def parameter_row(parameter: Schema) -> str:
    """Return a field of the form for a part of the address."""
    name, place = escape(parameter["name"]), escape(parameter["in"])
    is_needed = "" if not parameter.get("required") else " required"
    about = escape(parameter.get("description", ""))
    examples = parameter["schema"].get("examples", []) if is_needed else []
    value = f' value="{escape(examples[0])}"' if examples else ""
    return (
        f"<tr><td><code>{name}</code></td><td>{escape(type_text(parameter['schema']))}</td>"
        f'<td>{about}</td><td><input name="{name}" data-place="{place}" '
        f'aria-label="{name}"{value}{is_needed}></td></tr>'
    )


def body_html(schema: Schema, operation: Schema) -> str:
    """Return the body to be sent, filled with an example."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return ""
    name = form_name(content["schema"])
    examples = schema["components"]["schemas"].get(name, {}).get("examples", [{}])
    text = escape(json.dumps(examples[0], indent=2, ensure_ascii=False))
    link = f'<a href="#{escape(name)}">{escape(name)}</a>'
    return f'<p>{link}</p><textarea aria-label="{escape(name)}">{text}</textarea>'


def answer_html(answer: Schema) -> str:
    """Return what an answer is, with a link to its form."""
    name = form_name(answer.get("content", {}).get("application/json", {}).get("schema", {}))
    link = f' <a href="#{escape(name)}">{escape(name)}</a>' if name else ""
    return escape(answer.get("description", "")) + link


def form_html(name: str, form: Schema) -> str:
    """Return the fields of a form."""
    needed = form.get("required", [])
    rows = "".join(
        f"<tr><td><code>{escape(field)}</code></td><td>{escape(type_text(about))}</td>"
        f"<td>{'' if field in needed else escape(default_text(about))}</td>"
        f"<td>{escape(about.get('description', ''))}</td></tr>"
        for field, about in form["properties"].items()
    )
    title = f"<code>{escape(name)}</code> {escape(form.get('description', ''))}"
    return f'<details id="{escape(name)}"><summary>{title}</summary><table>{rows}</table></details>'


def form_name(schema: Schema) -> str:
    """Return the name of the form that a schema refers to, empty if it is none."""
    for choice in schema.get("anyOf", [schema]):
        if "$ref" in choice:
            return str(choice["$ref"]).rpartition("/")[2]
    return ""


def default_text(about: Schema) -> str:
    """Return what a field is if it is left out."""
    return f"= {json.dumps(about['default'])}" if "default" in about else "may be left out"


def type_text(about: Schema) -> str:
    """Return the type of a field in words.

    >>> type_text({"anyOf": [{"enum": ["white", "black"]}, {"type": "null"}]})
    'white | black | null'
    >>> type_text({"type": "array", "items": {"type": "integer"}, "minItems": 24})
    'list of integer'
    """
    if "$ref" in about:
        return form_name(about)
    if "anyOf" in about:
        return " | ".join(type_text(choice) for choice in about["anyOf"])
    if "enum" in about:
        return " | ".join(str(value) for value in about["enum"])
    if "const" in about:
        return str(about["const"])
    if about.get("type") == "array":
        items = about.get("items") or (about.get("prefixItems") or [{}])[0]
        return f"list of {type_text(items)}"
    return str(about.get("type", "any"))
