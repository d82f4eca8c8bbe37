//! Everything that can be wrong with a file, in three groups.
//!
//! A [`FormatFault`] means that there is no game or proof to verify; a [`GameFault`] or a
//! [`ProofFault`], that what the file claims is false. Each fault has a message for people and a
//! name for machines that stays the same when the message changes.

mod format;
mod game;
mod proof;

use thiserror::Error;

pub use format::FormatFault;
pub use game::GameFault;
pub use proof::ProofFault;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(transparent)]
pub enum Fault {
    /// The text cannot be read as a game or proof.
    Format(#[from] FormatFault),
    /// A move is illegal, or the file makes a false claim about its game.
    Game(#[from] GameFault),
    /// A proof does not prove its claim.
    Proof(#[from] ProofFault),
}

impl Fault {
    /// All names that [`Fault::name`] gives.
    pub fn names() -> impl Iterator<Item = &'static str> {
        [FormatFault::NAMES, GameFault::NAMES, ProofFault::NAMES].into_iter().flatten().copied()
    }

    /// The reason as one word for machines. It stays the same when the message changes.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Fault::Format(fault) => fault.name(),
            Fault::Game(fault) => fault.name(),
            Fault::Proof(fault) => fault.name(),
        }
    }
}

/// Defines an enum of faults together with the name of each.
macro_rules! faults {
    (
        $(#[$attribute:meta])*
        pub enum $Fault:ident {
            $(
                $(#[$of_variant:meta])*
                $Variant:ident $({ $($fields:tt)* })? = $name:literal,
            )*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        #[non_exhaustive]
        pub enum $Fault {
            $($(#[$of_variant])* $Variant $({ $($fields)* })?,)*
        }

        impl $Fault {
            pub(super) const NAMES: &[&str] = &[$($name),*];

            pub(super) fn name(&self) -> &'static str {
                match self {
                    $($Fault::$Variant { .. } => $name,)*
                }
            }
        }
    };
}
use faults;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_faults_have_the_same_name() {
        assert_eq!(Fault::names().collect::<HashSet<_>>().len(), Fault::names().count());
        let fault = Fault::from(GameFault::FalseTerminal { claimed: true, remaining: 3 });
        assert!(Fault::names().any(|name| name == fault.name()));
        assert_eq!(fault.to_string(), "terminal is claimed to be true; legal moves remaining: 3");
    }
}
