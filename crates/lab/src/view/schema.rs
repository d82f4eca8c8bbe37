//! JSON schemas of the views, for `docs/openapi.json`.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::*;

/// `[x, y]`.
pub(super) struct Dot;
/// `[[x, y], "E"]`.
pub(super) struct Line;
/// `{"new": [x, y], "line": [[x, y], "E"]}`.
pub(super) struct Move;

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

impl JsonSchema for Line {
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

impl JsonSchema for Move {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Move".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (dot, line) = (generator.subschema_for::<Dot>(), generator.subschema_for::<Line>());
        json_schema!({
            "description": "the new dot and the line",
            "type": "object",
            "properties": { "new": dot, "line": line },
            "required": ["new", "line"]
        })
    }
}

/// The schemas of all views that the API returns, by name, as `components.schemas` of OpenAPI.
#[must_use]
pub fn components() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.contract = schemars::generate::Contract::Serialize;
    let mut generator = settings.into_generator();
    macro_rules! register {
        ($($view:ty),* $(,)?) => { $( let _ = generator.subschema_for::<$view>(); )* };
    }
    register!(
        ArchiveView,
        ArchivedGameView,
        BoundRow,
        ContinuationView,
        DraftView,
        ErrorView,
        FileView,
        HuntIdView,
        HuntView,
        KnownGameView,
        LpSolutionView,
        MethodView,
        ModelGameView,
        PatternView,
        PositionView,
        ProofView,
        SavedDraftView,
        SavedGameView,
        StatusView,
        TrainingRunView,
    );
    generator.take_definitions(true)
}
