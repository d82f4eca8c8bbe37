//! Answers as plain data, one struct for every door. Those about archives, jobs and training runs
//! are in `lab::view`, which repeats these.
//!
//! Field names are part of the contract with scripts; see `docs/reference/http-api.md` and the
//! commands' help.

mod bounds;
mod file;
mod game;
mod method;
mod reduction;
#[cfg(feature = "schema")]
pub mod schema;

pub use bounds::{
    BoundRow, KnownGameView, LargeProofView, LpSolutionView, PublishedView, bound_rows,
};
pub use file::{
    FileVerdictView, FileView, OrderView, ProofView, StuckLineView, VerdictView, native,
};
pub use game::{
    BoardView, ContinuationView, ErrorView, LinkView, ObstacleView, PositionView, SharedGameView,
};
pub use method::{MethodView, ParameterView, methods};
pub use reduction::{
    GadgetView, GameModelView, ModelGameView, PartView, PatternView, PortView, ReductionFilesView,
    ReductionView, ShortfallView, WireStopView,
};
