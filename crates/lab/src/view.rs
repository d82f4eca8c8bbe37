//! Results as plain data, one struct for every door: the command prints them with `--json`, the
//! server returns them, and `docs/openapi.json` is generated from them (feature `schema`).
//!
//! Field names are part of the contract with scripts; see `docs/web.md` and the commands' help.

mod archive;
mod bounds;
mod count;
mod experiment;
mod file;
mod game;
mod hunt;
mod measurement;
mod method;
mod proof;
mod reduction;
mod run;
#[cfg(feature = "schema")]
pub mod schema;
mod training;

pub use archive::{
    ArchiveView, ArchivedGameView, AuditView, BestView, DamageView, DraftView, ExportView,
    GameView, ImportView, ProofEntryView, SavedDraftView, SavedGameView,
};
pub use bounds::{BoundRow, KnownGameView, LpSolutionView, PublishedView, bound_rows};
pub use count::CountView;
pub use experiment::ExperimentView;
pub use file::{FileVerdictView, FileView, OrderView, ProofView, StuckLineView, VerdictView};
pub use game::{BoardView, ContinuationView, ErrorView, PositionView};
pub use hunt::{HuntIdView, HuntStatus, HuntView, SearchView};
pub use measurement::{MeasurementView, ShareView};
pub use method::{MethodView, ParameterView, methods};
pub use proof::{
    BoardBoundView, BoardValueView, BoxesView, CapsView, CoverView, EndgameView, EndlessView,
    EnumerationView, ExtentView, FormulaView, HullCountView, HullView, NoAnswerView, OptimumView,
};
pub use reduction::{
    GadgetView, GameModelView, ModelGameView, PatternView, PortView, ReductionFilesView,
    ReductionView,
};
pub use run::{
    BestGameView, ClaimView, FailureView, RunResultView, RunView, StatusView, TaskView, now_millis,
};
#[cfg(feature = "learn")]
pub use training::TrainingReportView;
pub use training::{
    ContestView, CurveView, PlayerView, SettingView, TrainingBestView, TrainingRunView,
    TrainingView,
};

/// Anything that a door shows as JSON.
pub trait View: serde::Serialize {}

impl<T: serde::Serialize> View for T {}
