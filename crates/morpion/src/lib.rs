//! Morpion Solitaire (Join Five) as a library.

pub use evidence;
pub use geometry;
pub use hunt;
pub use record;
pub use rules;
pub use search;
pub use verify;
