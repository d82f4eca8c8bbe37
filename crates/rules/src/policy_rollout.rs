//! Games played by a policy.

use geometry::{Line, Move};

use crate::LineBoard;

/// Plays games to their end, in which every line has a weight.
///
/// Softmax without sums: a line that becomes legal samples a waiting time from the exponential
/// distribution with mean exp(-weight), and the line whose time runs out first is drawn next. Since
/// that distribution has no memory, each line has exactly the probability that softmax gives it.
pub trait PolicyRollout: Clone {
    /// All line ids are below this, or become known during a game.
    fn line_count(&self) -> usize;

    /// The line of an id.
    fn line(&self, id: u32) -> Line;

    /// The ids of these lines in all games to come, met or not; `None` if one lies off the grid.
    fn intern_lines(&mut self, lines: &[Line]) -> Option<Vec<u32>>;

    /// Plays a game of at most `max_moves` moves and returns its number of moves.
    ///
    /// `waits` holds exp(-weight) by line id, for at least [`line_count`](Self::line_count) lines;
    /// a line beyond it has weight 0. `exponential` samples the exponential distribution with mean
    /// 1.
    fn play(&mut self, waits: &[f32], max_moves: usize, exponential: impl FnMut() -> f64) -> usize;

    /// Plays a given game by its lines and returns its number of moves; `None` if they are more
    /// than `max_moves` or one is not legal when its turn comes.
    ///
    /// The game is then as it was when [`play`](Self::play) played it, down to the order of its
    /// [`legal_spans`](Self::legal_spans).
    fn replay(&mut self, lines: &[Line], max_moves: usize) -> Option<usize>;

    /// Copies the last game to `other`, for its [`line_ids`](Self::line_ids) and
    /// [`legal_spans`](Self::legal_spans) only. Line ids in the copy are those of `self`.
    fn copy_game_to(&self, other: &mut Self);

    /// The last game, without the moves it began with.
    fn moves(&self) -> Vec<Move>;

    /// The ids of the lines of the last game, in the order drawn.
    fn line_ids(&self) -> impl Iterator<Item = u32>;

    /// Replaces `spans` by one for every line that was legal at some time of the last game, in an
    /// unspecified order.
    fn legal_spans(&mut self, spans: &mut Vec<LegalSpan>);
}

/// A span of steps, `from..to`, during which a line was legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LegalSpan {
    /// The id of the line.
    pub line: u32,
    /// The first step.
    pub from: u16,
    /// The step after the last.
    pub to: u16,
    /// Whether the line was drawn at the last step of the span.
    pub played: bool,
}

/// Rollouts on any line board, and the reference for the bit engine's.
#[derive(Debug, Clone)]
pub struct PlainPolicyRollout<L> {
    start: L,
    board: L,
    /// The legal lines: the time each has still to wait, and the step at which it became legal.
    waits: Vec<f64>,
    lines: Vec<(u32, u16)>,
    /// By line id: its index in `lines`.
    places: Vec<u16>,
    /// The moves played: the line, and the offset of its new dot.
    played: Vec<(u32, u8)>,
    spans: Vec<LegalSpan>,
}

impl<L: LineBoard> PlainPolicyRollout<L> {
    /// Rollouts that begin after the moves `prefix`, which must be legal.
    pub fn new(mut board: L, prefix: &[Move]) -> Self {
        board.draw_all(prefix);
        Self {
            start: board.clone(),
            board,
            waits: Vec::new(),
            lines: Vec::new(),
            places: Vec::new(),
            played: Vec::new(),
            spans: Vec::new(),
        }
    }

    fn step(&mut self, waits: &[f32], exponential: &mut impl FnMut() -> f64) {
        let place = least(&self.waits);
        let passed = self.waits[place];
        for wait in &mut self.waits {
            *wait -= passed;
        }
        let drawn = self.lines[place].0;
        let next = self.played.len() as u16 + 1;
        let Self { board, waits: left, lines, places, spans, .. } = self;
        let new = board.draw_reporting(drawn, |line, legal| {
            if places.len() <= line as usize {
                places.resize(line as usize + 1, 0);
            }
            if legal {
                places[line as usize] = lines.len() as u16;
                lines.push((line, next));
                left.push(exponential() * wait_of(waits, line));
            } else {
                let place = usize::from(places[line as usize]);
                let (_, from) = lines.swap_remove(place);
                left.swap_remove(place);
                if let Some(&(moved, _)) = lines.get(place) {
                    places[moved as usize] = place as u16;
                }
                spans.push(LegalSpan { line, from, to: next, played: line == drawn });
            }
        });
        self.played.push((drawn, new));
    }
}

/// exp(-weight) of a line.
fn wait_of(waits: &[f32], line: u32) -> f64 {
    waits.get(line as usize).map_or(1.0, |&wait| wait.into())
}

/// The index of the first minimum.
fn least(numbers: &[f64]) -> usize {
    let (mut place, mut least) = (0, f64::INFINITY);
    for (i, &number) in numbers.iter().enumerate() {
        if number < least {
            (place, least) = (i, number);
        }
    }
    place
}

impl<L: LineBoard> PolicyRollout for PlainPolicyRollout<L> {
    fn line_count(&self) -> usize {
        self.start.line_count()
    }

    fn play(
        &mut self,
        waits: &[f32],
        max_moves: usize,
        mut exponential: impl FnMut() -> f64,
    ) -> usize {
        self.board.clone_from(&self.start);
        self.waits.clear();
        self.lines.clear();
        self.played.clear();
        self.spans.clear();
        self.places.resize(self.board.line_count(), 0);
        for n in 0..self.board.legal_count() {
            let line = self.board.nth_legal(n);
            self.places[line as usize] = n as u16;
            self.lines.push((line, 0));
            self.waits.push(exponential() * wait_of(waits, line));
        }
        // Steps are counted in 16 bits.
        let max_moves = max_moves.min(usize::from(u16::MAX) - 1);
        while !self.lines.is_empty() && self.played.len() < max_moves {
            self.step(waits, &mut exponential);
        }
        self.played.len()
    }

    fn moves(&self) -> Vec<Move> {
        self.played.iter().map(|&(line, new)| Move::new(self.board.line(line), new)).collect()
    }

    fn legal_spans(&mut self, spans: &mut Vec<LegalSpan>) {
        spans.clone_from(&self.spans);
        // A game cut short ends with lines still legal.
        let to = self.played.len() as u16;
        let rest = self.lines.iter().filter(|&&(_, from)| from < to);
        spans.extend(rest.map(|&(line, from)| LegalSpan { line, from, to, played: false }));
    }

    fn line(&self, id: u32) -> Line {
        self.board.line(id)
    }

    fn intern_lines(&mut self, lines: &[Line]) -> Option<Vec<u32>> {
        let ids = lines.iter().map(|&line| self.start.intern(line)).collect();
        self.board.clone_from(&self.start);
        ids
    }

    fn line_ids(&self) -> impl Iterator<Item = u32> {
        self.played.iter().map(|&(line, _)| line)
    }

    fn replay(&mut self, drawn: &[Line], max_moves: usize) -> Option<usize> {
        self.board.clone_from(&self.start);
        self.lines.clear();
        self.played.clear();
        self.spans.clear();
        // Steps are counted in 16 bits.
        if drawn.len() > max_moves.min(usize::from(u16::MAX) - 1) {
            return None;
        }
        self.lines.extend((0..self.board.legal_count()).map(|n| (self.board.nth_legal(n), 0)));
        for &line in drawn {
            let drawn = self.board.line_id(line).filter(|&id| self.board.is_legal(id))?;
            let next = self.played.len() as u16 + 1;
            let Self { board, lines, spans, .. } = self;
            let new = board.draw_reporting(drawn, |line, legal| {
                if legal {
                    lines.push((line, next));
                } else if let Some(place) = lines.iter().position(|&(other, _)| other == line) {
                    let (_, from) = lines.swap_remove(place);
                    spans.push(LegalSpan { line, from, to: next, played: line == drawn });
                }
            });
            self.played.push((drawn, new));
        }
        Some(self.played.len())
    }

    fn copy_game_to(&self, other: &mut Self) {
        other.lines.clone_from(&self.lines);
        other.played.clone_from(&self.played);
        other.spans.clone_from(&self.spans);
    }
}

#[cfg(test)]
mod tests;
