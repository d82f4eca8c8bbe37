//! The clock of a search.
//!
//! A browser's WebAssembly has none, and asking for the time panics there. Its searches are limited
//! by playouts alone, so any pace of time will do.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use pace::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod pace {
    use std::time::Duration;

    /// A moment; all are alike.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant;

    impl Instant {
        /// Now.
        #[must_use]
        pub fn now() -> Self {
            Self
        }

        /// As long as a search takes between two looks at the clock.
        #[must_use]
        pub fn duration_since(self, _earlier: Self) -> Duration {
            Duration::from_millis(4)
        }
    }
}
