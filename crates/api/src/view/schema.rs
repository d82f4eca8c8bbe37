//! JSON schemas of dots, lines and moves, which `record` writes.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// `[x, y]`.
pub struct Dot;
/// `[[x, y], "E"]`.
pub struct LineSchema;
/// `{"new": [x, y], "line": [[x, y], "E"]}`.
pub struct MoveSchema;

impl JsonSchema for Dot {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Dot".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "x and y; y grows down",
            "type": "array",
            "items": { "type": "integer" },
            "minItems": 2,
            "maxItems": 2
        })
    }
}

impl JsonSchema for LineSchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Line".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let dot = generator.subschema_for::<Dot>();
        json_schema!({
            "description": "the first dot and the direction",
            "type": "array",
            "prefixItems": [dot, { "enum": ["E", "S", "SE", "NE"] }],
            "minItems": 2,
            "maxItems": 2
        })
    }
}

impl JsonSchema for MoveSchema {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Move".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (dot, line) =
            (generator.subschema_for::<Dot>(), generator.subschema_for::<LineSchema>());
        json_schema!({
            "description": "the new dot and the line",
            "type": "object",
            "properties": { "new": dot, "line": line },
            "required": ["new", "line"]
        })
    }
}
