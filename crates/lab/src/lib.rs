//! What the program does with its libraries: plans and workers, searches for proofs, known results,
//! pictures of results, and the views that every door shows. No algorithms, no printing.
//!
//! ```
//! use morpion_lab::view::{FileVerdictView, methods};
//!
//! let text = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[]}"#;
//! let file = evidence::verify_file(text.as_bytes(), None)?;
//! let view = FileVerdictView::new(&file.verdict, file.record.as_ref().ok());
//! assert_eq!((view.verdict, view.left), ("legal", Some(28)));
//!
//! let game = geometry::Game::named("5T").expect("a game");
//! assert!(methods(&game).iter().any(|method| method.name == "nrpa"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod alignment;
pub mod best_file;
pub mod checkpoint_file;
pub mod compare;
pub mod environment;
pub mod figure;
pub mod files;
pub mod import;
pub mod jobs;
pub mod parts;
pub mod prove;
pub mod records;
pub mod solver_path;
pub mod text;
#[cfg(feature = "learn")]
pub mod training_folder;
mod training_runs;
pub mod view;

pub use api::{known, reduction};
pub use training_runs::{training_run_folder, training_runs};
