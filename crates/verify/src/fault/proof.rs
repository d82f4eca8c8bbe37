//! Faults of a proof: what it claims does not follow from it.

super::faults! {
    /// Why a proof is refused.
    pub enum ProofFault {
        /// Endless play without a move to repeat.
        #[error("the period has no moves")]
        EmptyPeriod = "empty-period",
        /// Endless play that repeats its moves in place.
        #[error("the translation is (0,0), so that play stays where it is")]
        NoTranslation = "no-translation",
        /// Endless play that takes too long to verify.
        #[error(
            "verifying the period takes {rounds} rounds, which exceeds the limits on moves and \
            coordinates"
        )]
        TooManyRounds {
            /// How many rounds would have to be replayed.
            rounds: i64,
        } = "too-many-rounds",
        /// A linear program that does not exist.
        #[error("there is no such model: {reason}")]
        NoModel {
            /// Why not.
            reason: &'static str,
        } = "no-model",
        /// A cut that is not a set of dots off the start with one of them marked.
        #[error(
            "its dots are not distinct dots of the board off the start, with the marked one \
            among them"
        )]
        BadCut = "bad-cut",
        /// A certificate with too few duals or too many.
        #[error("the model has {rows} rows, the certificate {duals} duals")]
        WrongCount {
            /// How many rows there are.
            rows: usize,
            /// How many duals there are.
            duals: usize,
        } = "wrong-count",
        /// A dual that would reverse its row.
        #[error("the dual has the wrong sign for its row")]
        WrongSign = "wrong-sign",
        /// A bound that the duals do not show.
        #[error("the bound is claimed to be {claimed}; the duals show {bound}")]
        FalseBound {
            /// The bound in the file.
            claimed: i128,
            /// The bound by the duals.
            bound: i128,
        } = "false-bound",
        /// A statement in words that is not the claim.
        #[error("the second line must be: {wanted}")]
        FalseWords {
            /// What it should say.
            wanted: String,
        } = "false-words",
        /// A hull of positions that no board contains.
        #[error("no board contains {board}, which has too many dots to be left out")]
        Uncovered {
            /// The hull.
            board: String,
        } = "uncovered",
        /// A cap that may be smaller than claimed.
        #[error("a cap with waste {waste} may have {dots} dots; the claim is at least {least}")]
        FalseCap {
            /// The waste in its rows.
            waste: usize,
            /// How few dots it may have.
            dots: u32,
            /// How many are claimed.
            least: u32,
        } = "false-cap",
        /// Trees whose regions do not contain all positions.
        #[error("there is no tree for the positions {case}")]
        MissingCase {
            /// The missing region.
            case: String,
        } = "missing-case",
        /// A leaf that its duals do not prune.
        #[error("leaf {number} of the tree {case} leaves room for more moves")]
        OpenLeaf {
            /// Its number, counting from 1.
            number: usize,
            /// The region of the tree.
            case: String,
        } = "open-leaf",
        /// A proof that takes more work to verify than its size allows.
        #[error(
            "verifying the proof takes more than the {allowed} steps that a file of its size may \
            ask for"
        )]
        TooMuchWork {
            /// The steps that it may ask for.
            allowed: u64,
        } = "too-much-work",
        /// Claims about caps that leave too much to enumerate.
        #[error("too many caps may be smaller than claimed to enumerate them")]
        TooManyCaps = "too-many-caps",
        /// Two caps that a long game has room for.
        #[error(
            "caps with waste {one} and {other} may have {dots} dots; a game has room for {room}"
        )]
        CapsFit {
            /// The waste of one cap.
            one: usize,
            /// The waste of the other.
            other: usize,
            /// The fewest dots of both together.
            dots: u32,
            /// The dots of a game with that waste.
            room: u32,
        } = "caps-fit",
    }
}
