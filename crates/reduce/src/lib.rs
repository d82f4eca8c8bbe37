//! 3-SAT as a dot pattern: why Morpion Solitaire is hard, and a proof of it for every formula.
//!
//! A [`Formula`] becomes a [`Pattern`]: dots from which a game of so many moves exists, touching or
//! disjoint, if and only if the formula can be satisfied. Every pattern is proven by itself before
//! it leaves this room ([`certify()`]). A [`Assignment`] plays a game from it, and any game that is
//! long enough says a model. The idea is that of Demaine, Demaine, Langerman and Langerman (2006,
//! section 4.2); the gadgets are new and verified by playing all games ([`gadget`]). Files and
//! pictures are others' work.
//!
//! ```
//! use morpion_reduce::{Formula, Assignment, Pattern};
//!
//! let formula = Formula::read(b"p cnf 2 2\n1 2 0\n-1 -2 0\n").expect("DIMACS");
//! let pattern = Pattern::compile(formula, 5, 1.0, &mut |_| ()).expect("certified");
//! let model = Assignment::read(b"v 1 -2 0", 2).expect("a model");
//! let moves = pattern.play(&model);
//! assert!(moves.len() >= pattern.threshold());
//! assert_eq!(pattern.read(moves.iter().map(|mv| mv.line)), model);
//! ```

pub mod assignment;
pub mod ceiling;
pub mod certify;
pub mod closure;
pub mod cnf;
pub mod exhaust;
mod family;
pub mod gadget;
mod instance;
mod layout;
mod meaning;
mod pattern;
mod row;
mod shortfall;
pub mod sidecar;
mod wiring;

pub use assignment::Assignment;
pub use certify::{CertifyError, PatternCertificate, certify};
pub use cnf::{Formula, Literal};
pub use family::{Family, LengthError};
pub use instance::Instance;
pub use layout::{Atom, Layout, LayoutError, LayoutPart, PartKind, Spacing};
pub use pattern::{CompileError, Pattern, Stage};
pub use row::Row;
pub use shortfall::{Shortfall, Stop};
