"""Validate JSON by its schema: the schema and JSON.md describe all of it, and damaged copies are
rejected.

    check_schema.py SCHEMA JSON.md JSON...
"""
import copy
import json
import sys

import jsonschema


def all_members(schema):
    """Each object's members, by name."""
    if isinstance(schema, dict):
        for name, value in schema.get("properties", {}).items():
            yield name, value
        for value in schema.values():
            yield from all_members(value)


def without_additions(schema):
    """The same, if no later release has added anything."""
    if not isinstance(schema, dict):
        return schema
    strict = {key: without_additions(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema:
        strict["additionalProperties"] = False
    return strict


DAMAGES = {
    "arcline-functions": (
        lambda x: x.pop("arcs"),
        lambda x: x.update(version=2),
        lambda x: x.update(time="1"),
        lambda x: x["functions"][0].update(calls=-1),
        lambda x: x["functions"][0].update(calls=1.5),
        lambda x: x["functions"][0].pop("self"),
        lambda x: x["functions"][0]["self"].pop("low"),
        lambda x: x["arcs"][0].update(caller=-1),
    ),
    "arcline-diff": (
        lambda x: x.pop("gates"),
        lambda x: x.update(version="1"),
        lambda x: x["profiles"].pop("a"),
        lambda x: x["calls"].update(a=-1),
        lambda x: x["coverage"]["lines"]["a"].pop("executed"),
        lambda x: x["gates"][0].update(passed=0),
        lambda x: x.update(functions=[{"name": "f"}]),
        lambda x: x.update(arcs=[{"caller": "f", "callee": None, "calls": {"a": 1}}]),
    ),
}


def damaged(data):
    """Copies that are each wrong in one way."""
    for change in DAMAGES[data["format"]]:
        other = copy.deepcopy(data)
        change(other)
        yield other


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    jsonschema.Draft7Validator.check_schema(schema)
    for name, _ in all_members(schema):
        assert f"`{name}`" in page, f"JSON.md does not tell of {name}"
    strict = jsonschema.Draft7Validator(without_additions(schema))
    for path in sys.argv[3:]:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        strict.validate(data)
        n_wrong = 0
        for other in damaged(data):
            assert not strict.is_valid(other)
            n_wrong += 1
        assert n_wrong == 8


main()
