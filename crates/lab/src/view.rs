//! Results as plain data, one struct for every door: the command prints them with `--json`, the
//! server returns them, and `docs/reference/openapi.json` is generated from them (feature
//! `schema`).
//!
//! Field names are part of the contract with scripts; see `docs/reference/exit-status-and-json.md`
//! and the commands' help.

mod archive;
mod count;
mod experiment;
mod hunt;
mod measurement;
mod proof;
mod run;
#[cfg(feature = "schema")]
pub mod schema;
mod training;

pub use api::view::{
    BoardView, BoundRow, ContinuationView, ErrorView, FileVerdictView, FileView, GadgetView,
    GameModelView, KnownGameView, LinkView, LpSolutionView, MethodView, ModelGameView,
    ObstacleView, OrderView, ParameterView, PartView, PatternView, PortView, PositionView,
    ProofView, PublishedView, ReductionFilesView, ReductionView, SharedGameView, StuckLineView,
    VerdictView, bound_rows, methods,
};
pub use archive::{
    ArchiveView, ArchivedGameView, AuditView, BestView, DamageView, DraftView, ExportView,
    GameView, ImportView, MovesByView, ProofEntryView, SavedDraftView, SavedGameView,
};
pub use count::CountView;
pub use experiment::ExperimentView;
pub use hunt::{HuntIdView, HuntStatus, HuntView, SearchRunView, SearchRunsView, SearchView};
pub use measurement::{MeasurementView, ShareView};
pub use proof::{
    BoardBoundView, BoardValueView, BoxesView, CapsView, CoverView, EndgameView, EndlessView,
    EnumerationView, ExtentView, FileResultView, FormulaView, HullCountView, HullView,
    InconclusiveView, OptimumView,
};
pub use run::{BestGameView, ClaimView, FailureView, RunResultView, RunView, StatusView, TaskView};
pub use store::now_millis;
#[cfg(feature = "learn")]
pub use training::TrainingReportView;
pub use training::{
    ContestView, CurveView, PlayerView, SettingView, TrainingBestView, TrainingNameView,
    TrainingRunView, TrainingView,
};

/// Anything that a door shows as JSON.
pub trait View: serde::Serialize {}

impl<T: serde::Serialize> View for T {}
