//! The whole way: from a formula to a certified pattern, from a model to a game, and back.

use geometry::{Line, Move, Rules, Start, StartError};

use crate::assignment::Assignment;
use crate::certify::{CertifyError, PatternCertificate, ceiling_without_treasure, certify, reach};
use crate::closure::ClosureError;
use crate::cnf::{Formula, Literal};
use crate::family::Family;
use crate::instance::Instance;
use crate::layout::{Layout, LayoutError};
use crate::wiring::Wiring;

/// A formula as dots, certified: a game of at least [`Pattern::threshold`] moves exists from them,
/// touching or disjoint, if and only if the formula can be satisfied.
#[derive(Debug, Clone)]
pub struct Pattern {
    formula: Formula,
    gap: f64,
    layout: Layout,
    start: Start,
    certificate: PatternCertificate,
}

/// Why there is no pattern.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The gap is no number from 1 up.
    #[error("the gap must be a number from 1 to 1000000, not {0}")]
    Gap(f64),
    /// Too many dots, or no gadgets for such lines.
    #[error(transparent)]
    LayoutError(#[from] LayoutError),
    /// The pattern does not do what it should.
    #[error("the pattern is not what it should be, which is our mistake: {0}")]
    CertifyError(CertifyError),
    /// The dots are too many or too far apart.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The grid around the dots would take too much memory.
    #[error(
        "the pattern would be spread too far to be proven: take a smaller formula or gap, or \
         shorter lines"
    )]
    Spread,
}

impl From<CertifyError> for CompileError {
    fn from(error: CertifyError) -> Self {
        match error {
            CertifyError::ClosureError(ClosureError::TooWide) => Self::Spread,
            error => Self::CertifyError(error),
        }
    }
}

impl Pattern {
    /// The largest factor between games with the treasure and games without.
    pub const MAX_GAP: f64 = 1e6;

    /// Makes a pattern for lines of 4 to 16 dots whose threshold is at least `gap` times what can
    /// be reached without a model.
    ///
    /// `at` receives the current stage.
    pub fn compile(
        formula: Formula,
        length: usize,
        gap: f64,
        at: &mut dyn FnMut(Stage),
    ) -> Result<Self, CompileError> {
        if !(1.0..=Self::MAX_GAP).contains(&gap) {
            return Err(CompileError::Gap(gap));
        }
        at(Stage::Layout);
        let instance = Instance::new(&formula);
        let spacing = Family::for_length(length).map_err(LayoutError::from)?.spacing();
        let base = Layout::new(length, instance.clone(), spacing, 1)?;
        let dots = base.dots();
        at(Stage::Ceiling);
        let ceiling = ceiling_without_treasure(&base, &dots).map_err(CertifyError::from)?;
        let threshold = (gap * (ceiling + 1) as f64).ceil() as usize;
        let more = threshold.saturating_sub(reach(&base));
        // Each unit of the treasure has its own dots.
        if more > Start::MAX_DOTS || dots.len() + more * (length - 2) > Start::MAX_DOTS {
            return Err(LayoutError::TooLarge.into());
        }
        drop((base, dots));
        at(Stage::Treasure);
        let layout = Layout::new(length, instance, spacing, 1 + more)?;
        let start = Start::from_dots(layout.dots())?;
        at(Stage::Certify);
        let certificate = certify(&layout, start.dots(), threshold)?;
        Ok(Self { formula, gap, layout, start, certificate })
    }

    /// The formula as it was given.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// How many times longer games with the treasure are than all without.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// The game with lines of this pattern's length, touching or disjoint.
    pub fn rules(&self, touching: bool) -> Rules {
        Rules::new(self.layout.length(), touching).expect("a layout has lines of a length")
    }

    /// What is proven, in words.
    pub fn statement(&self) -> String {
        format!(
            "a game of at least {} moves exists from these dots, touching or disjoint, \
             iff the formula is satisfiable",
            self.threshold()
        )
    }

    /// The parts of the pattern.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The dots.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// What was proven.
    pub fn certificate(&self) -> &PatternCertificate {
        &self.certificate
    }

    /// The number of moves that matters.
    pub fn threshold(&self) -> usize {
        self.certificate.threshold()
    }

    /// The moves by which a model plays: first the line of each variable, with all that follows.
    ///
    /// They are legal in the disjoint game, so in the touching game, too. A model that satisfies
    /// the formula reaches the threshold, any other stops before the treasure.
    pub fn play(&self, model: &Assignment) -> Vec<Move> {
        let wiring = Wiring::new(&self.layout);
        let mut flow = wiring.dry();
        let mut moves = Vec::new();
        for (choices, name) in self.layout.choices.iter().zip(&self.layout.instance.names) {
            let value = name.map_or(Some(true), |variable| model.value(variable));
            let Some(value) = value else { continue };
            let mv = choices[usize::from(!value)];
            moves.push(mv);
            flow.pour(mv.dot(), &mut moves);
        }
        moves
    }

    /// The model that a game from these dots has chosen by its lines.
    pub fn read(&self, lines: impl IntoIterator<Item = Line>) -> Assignment {
        let lines: std::collections::HashSet<Line> = lines.into_iter().collect();
        let mut model = Assignment::unknown(self.formula.variables());
        for ([yes, no], name) in self.layout.choices.iter().zip(&self.layout.instance.names) {
            let Some(variable) = name.and_then(|variable| i32::try_from(variable).ok()) else {
                continue;
            };
            for (mv, number) in [(yes, variable), (no, -variable)] {
                if lines.contains(&mv.line) {
                    model.set(Literal::new(number).expect("variables count from 1"));
                }
            }
        }
        model
    }
}

/// What is being done while a pattern is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Placing gadgets.
    Layout,
    /// Counting moves without the treasure.
    Ceiling,
    /// Placing the treasure.
    Treasure,
    /// Proving that all is right.
    Certify,
}
