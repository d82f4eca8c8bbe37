//! JSON schemas of the views, for `docs/reference/openapi.json`.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::*;

pub use api::view::schema::{Dot, LineSchema, MoveSchema};

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
        LinkView,
        LpSolutionView,
        MethodView,
        ModelGameView,
        ObstacleView,
        OrderView,
        PatternView,
        PositionView,
        ProofView,
        api::RecordGameView,
        SavedDraftView,
        SavedGameView,
        SharedGameView,
        StatusView,
        TrainingNameView,
        TrainingRunView,
    );
    generator.take_definitions(true)
}
