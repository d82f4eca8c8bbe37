//! Morpion Solitaire (Join Five) as a library: rules, game files, search and an
//! independent verifier.
//!
//! This crate only re-exports others, one module per crate: [`geometry`], [`record`], [`rules`],
//! [`verify`], [`evidence`], [`search`], [`hunt`], and with features `learn`, `bound`, `reduce` and
//! `render`. The examples below are meant to be copied.
//!
//! # Play
//!
//! A game is rules and a start: `5T`, `5D`, `4T`, `4D`, or any other.
//!
//! ```
//! use morpion::geometry::{Game, Point, Start};
//!
//! let game: Game = "5T".parse()?;
//! assert_eq!(game.start.dots().len(), 36);
//!
//! let dots = Start::from_dots((0..5).map(|x| Point::new(x, 0)))?;
//! let own = Game { rules: "6D".parse()?, start: dots };
//! assert_eq!(own.to_string(), "6D from 5 dots");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A position lists its legal moves and plays them; an illegal move is an error with the reason.
//!
//! ```
//! use morpion::geometry::{Direction, Game, Line, Move, Point};
//! use morpion::rules::{PlainPosition, Position};
//!
//! let mut position = PlainPosition::start(Game::named("5T")?);
//! assert_eq!(position.legal().len(), 28);
//!
//! let mv = Move::new(Line::new(Point::new(3, 0), Direction::East), 4);
//! position.play(mv)?;
//! assert_eq!((position.score(), position.legal().len()), (1, 26));
//! assert!(position.play(mv).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The number of legal moves along a whole game:
//!
//! ```
//! use morpion::geometry::Game;
//! use morpion::rules::{PlainPosition, Position, replay};
//!
//! let game = Game::named("4D")?;
//! let mut position = PlainPosition::start(game.clone());
//! while let Some(&first) = position.legal().first() {
//!     position.play(first)?;
//! }
//! let replayed = replay(&game, &position.moves())?;
//! assert_eq!(replayed.counts.last(), Some(&0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The eight symmetries of the start map moves to moves:
//!
//! ```
//! use morpion::geometry::{Direction, Game, Line, Move, Point};
//!
//! let game = Game::named("5T")?;
//! let mv = Move::new(Line::new(Point::new(3, 0), Direction::East), 4);
//! let symmetries = game.start.symmetries();
//! let images: Vec<Move> = symmetries.iter().map(|symmetry| symmetry.mv(mv, game.rules)).collect();
//! assert_eq!(images.len(), 8);
//! assert_eq!(images[0], mv);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Moves in any order can be put in one in which they can be played:
//!
//! ```
//! use morpion::geometry::{Game, play_order};
//! use morpion::rules::{PlainPosition, Position};
//!
//! let game = Game::named("4D")?;
//! let mut position = PlainPosition::start(game.clone());
//! while let Some(&last) = position.legal().last() {
//!     position.play(last)?;
//! }
//! let backwards = position.moves().into_iter().rev();
//! let order = play_order(&game, &[], backwards).expect("they were played");
//! assert_eq!(order.len(), position.score());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Count positions up to symmetry:
//!
//! ```
//! use morpion::geometry::Game;
//! use morpion::rules::count::{CountKind, CountOptions, count};
//!
//! let counts = count(&Game::named("5T")?, CountKind::Classes, 2, CountOptions::QUIET)?;
//! assert_eq!(counts[..2], [1, 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! Any format is recognised by its content. A Pentasol file does not say whether it is 5T or 5D:
//!
//! ```
//! use morpion::geometry::Game;
//! use morpion::record;
//!
//! let game = Game::named("5T")?;
//! let record = record::read(b"(28,28)\n(27,27) / 0\n", Some(&game))?;
//! assert_eq!(record.lines().len(), 1);
//! assert!(record.to_json().contains("morpion-game/1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Moves as JSON in a document of your own:
//!
//! ```
//! use morpion::geometry::{Direction, Line, Move, Point};
//! use morpion::record::MoveJson;
//!
//! let mv = Move::new(Line::new(Point::new(3, 0), Direction::East), 4);
//! let json = MoveJson::from(mv);
//! assert_eq!(json.new, [7, 0]);
//! assert_eq!(json.to_move("5T".parse()?)?, mv);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Verify
//!
//! The verifier shares no code with the rest. What it accepts becomes a type that nothing else
//! makes.
//!
//! ```
//! use morpion::evidence::verify_file;
//!
//! let check = verify_file(b"5T\n3,0 7,0\n", None)?;
//! let game = check.verdict.expect("a legal game");
//! assert_eq!(game.to_string(), "5T, 1 move, 26 legal moves remain");
//!
//! let refused = verify_file(b"5T\n3,0 7,0\n3,0 7,0\n", None)?.verdict;
//! assert!(refused.is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A drawing is a set of lines without an order; the verifier finds one, or the lines
//! that are stuck:
//!
//! ```
//! use morpion::verify::{OrderResult, order};
//!
//! let drawing = r#"{"format": "morpion-game/1", "rules": "5T", "start": "cross",
//!     "lines": [[[3, 0], "E"], [[3, 0], "S"]]}"#;
//! assert!(matches!(order(drawing), Ok(OrderResult::Ordered { .. })));
//! ```
//!
//! Proofs of upper bounds are checked the same way:
//!
//! ```
//! use morpion::verify::{is_proof, verify_game, verify_proof};
//!
//! let game = r#"{"format": "morpion-game/1", "rules": "5T", "start": "cross", "moves": []}"#;
//! assert!(verify_game(game).is_ok() && !is_proof(game));
//! // A proof is read with `verify::read` (plain or compressed) and gives its claim:
//! assert!(verify_proof(game).is_err());
//! ```
//!
//! # Search
//!
//! The same seed and number of playouts give the same game:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use morpion::SeedableRng;
//! use morpion::geometry::Game;
//! use morpion::search::{Budget, MethodSpec, Rng};
//!
//! let game = Game::named("5D")?;
//! let method = MethodSpec::named("nmcs", &game, [("level", "1")])?;
//! let search = method.start(&game, &[], Rng::seed_from_u64(1));
//! let found = search.run(Budget::playouts(2_000), |_| ControlFlow::Continue(()));
//! assert!(found.len() > 50);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A hunt runs a search on several threads and returns a verified game:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use morpion::geometry::Game;
//! use morpion::hunt::{HuntBudget, HuntSpec, run};
//! use morpion::search::MethodSpec;
//!
//! let game = Game::named("5T")?;
//! let spec = HuntSpec {
//!     method: MethodSpec::named("random", &game, [])?,
//!     game,
//!     prefix: Vec::new(),
//!     seed: 1,
//!     threads: 2,
//!     budget: HuntBudget { playouts: Some(1_000), ..HuntBudget::default() },
//! };
//! let found = run(&spec, None, &|_| ControlFlow::Continue(()))?;
//! assert!(found.game.score() > 50);
//! assert_eq!(found.game.remaining_moves(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A method of your own implements [`search::Method`] and [`search::Run`]; a step is one playout:
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use morpion::SeedableRng;
//! use morpion::geometry::{Game, Move};
//! use morpion::rules::{PlainPosition, Position};
//! use morpion::search::random::below;
//! use morpion::search::{Budget, BudgetMeter, Method, MethodState, Rng, Run, Search};
//! use morpion::search::{SearchState, StateError};
//!
//! #[derive(Debug)]
//! struct Uniform;
//!
//! struct UniformRun {
//!     start: PlainPosition,
//!     best: Vec<Move>,
//! }
//!
//! impl Method for Uniform {
//!     fn start(&self, game: &Game, prefix: &[Move], _rng: &mut Rng) -> Box<dyn Run> {
//!         let mut start = PlainPosition::start(game.clone());
//!         prefix.iter().for_each(|&mv| start.play(mv).expect("a legal prefix"));
//!         Box::new(UniformRun { start, best: prefix.to_vec() })
//!     }
//! }
//!
//! impl Run for UniformRun {
//!     fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
//!         meter.playout()?;
//!         let mut position = self.start.clone();
//!         while !position.legal().is_empty() {
//!             position.play_nth(below(rng, position.legal().len()));
//!         }
//!         if position.score() > self.best.len() {
//!             self.best = position.moves();
//!             meter.improved(&self.best)?;
//!         }
//!         ControlFlow::Continue(())
//!     }
//!
//!     fn best(&self) -> &[Move] {
//!         &self.best
//!     }
//!
//!     fn state(&self) -> Option<MethodState> {
//!         None // it cannot be saved
//!     }
//!
//!     fn restore(&mut self, _state: &SearchState) -> Result<(), StateError> {
//!         Err(StateError::Method)
//!     }
//! }
//!
//! let game = Game::named("5D")?;
//! let search = Search::start(&Uniform, &game, &[], Rng::seed_from_u64(1));
//! let found = search.run(Budget::playouts(100), |_| ControlFlow::Continue(()));
//! assert!(found.len() > 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(
    feature = "render",
    doc = r##"
# Pictures

```
use morpion::geometry::Game;
use morpion::record::{self, Record};
use morpion::render::{Style, svg};

let record = Record::from_moves(Game::named("5T")?, vec![]);
let picture = svg(&record, &Style::default());
// The picture carries its game.
assert_eq!(record::read(picture.as_bytes(), None)?, record);
# Ok::<(), Box<dyn std::error::Error>>(())
```
"##
)]

#[cfg(feature = "bound")]
pub use bound;
pub use evidence;
pub use geometry;
pub use hunt;
#[cfg(feature = "learn")]
pub use learn;
pub use rand::SeedableRng;
pub use record;
#[cfg(feature = "reduce")]
pub use reduce;
#[cfg(feature = "render")]
pub use render;
pub use rules;
pub use search;
pub use verify;
