"""A checker of JSON against the keywords of JSON Schema that docs/reference/formats/picture.schema.json uses, and no others."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "properties", "required",
         "additionalProperties", "items", "minItems", "maxItems", "minimum"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def problems(value, schema, root=None, path="$"):
    """What is wrong with a value, as a list of "path: reason"."""
    root = root or schema
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"{path}: the schema has keywords that aren't checked: {sorted(unknown)}")
    if "$ref" in schema:
        return problems(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, path)
    found = []
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        return [f"{path}: {str(value)[:60]!r} isn't of type {types}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: {value!r} is none of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        found.append(f"{path}: {value!r} isn't {schema['const']!r}")
    if value is not None and "minimum" in schema and value < schema["minimum"]:
        found.append(f"{path}: {value} is below {schema['minimum']}")
    if isinstance(value, dict):
        found += object_problems(value, schema, root, path)
    if isinstance(value, list):
        found += list_problems(value, schema, root, path)
    return found


def object_problems(value, schema, root, path):
    known = schema.get("properties", {})
    found = [f"{path}: {key} is missing" for key in schema.get("required", []) if key not in value]
    for key, item in value.items():
        if key in known:
            found += problems(item, known[key], root, f"{path}.{key}")
        elif schema.get("additionalProperties") is False:
            found.append(f"{path}: {key} isn't part of the format")
    return found


def list_problems(value, schema, root, path):
    found = []
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        found.append(f"{path}: {len(value)} items")
    for index, item in enumerate(value):
        found += problems(item, schema.get("items", {}), root, f"{path}[{index}]")
    return found
