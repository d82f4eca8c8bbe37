//! One game that is repeatedly ruined and recreated.

use geometry::{Direction, Move, Point, play_order};
use rules::{LineBoard, LineSet as _};
use serde::{Deserialize, Serialize};

use super::Temper;
use super::dependants::{Dependants, PlacedDot};
use crate::notation::LineList;
use crate::random::{below, unit};
use crate::state::in_range;
use crate::{BudgetMeter, MoveList, Rng, StateError};

/// How often a line is erased and its dot left, where free dots are allowed.
const FREEING: f64 = 0.05;

#[derive(Debug, Clone)]
pub(super) struct Replica<L: LineBoard> {
    /// The board and the one before the current proposal, boxed so that they are swapped in no
    /// time.
    board: Box<L>,
    before: Box<L>,
    max_lines: usize,
    /// The placed dots, with the lines that make them, in a legal order.
    dots: Vec<PlacedDot>,
    /// The number of free dots among them, and of the lines of the others.
    free: usize,
    lines: usize,
    /// By id of a drawn line: its index in `dots`. What it has for other lines means nothing.
    places: Vec<u32>,
    dependants: Dependants,
    buffers: Buffers<L>,
}

/// Buffers that proposals reuse.
#[derive(Debug, Clone)]
struct Buffers<L: LineBoard> {
    /// The indices of the chosen lines.
    chosen: Vec<usize>,
    /// The lines erased: the chosen ones and those lost with them.
    erased: Vec<(u32, u8)>,
    /// The lost lines without the chosen ones.
    lost: L::LineSet,
    /// Lost lines that were legal again when they were added.
    back: Vec<u32>,
    legal: Vec<u32>,
    added: Vec<PlacedDot>,
    /// The dots of the next game.
    next: Vec<PlacedDot>,
}

/// Where a replica is on the ladder of an ensemble.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    pub(super) temperature: f64,
    /// How many lines a free dot costs.
    pub(super) price: f64,
}

impl Level {
    fn accepts(self, change: f64, rng: &mut Rng) -> bool {
        change >= 0.0 || unit(rng) < (change / self.temperature).exp()
    }
}

/// How a proposal changes the dots that stay.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// Not at all.
    None,
    /// A line is erased, and its dot stays.
    Free(usize),
    /// A dot gets another line, and those that were in its way leave their dots if `freeing`.
    Remake { place: usize, maker: PlacedDot, freeing: bool },
}

impl<L: LineBoard> Replica<L> {
    /// A random finished game.
    ///
    /// Games are cut at `max_lines` lines, and when the time is over.
    pub(super) fn new(
        board: &L,
        max_lines: usize,
        meter: &mut BudgetMeter<'_>,
        rng: &mut Rng,
    ) -> Self {
        let mut replica = Self::empty(board, max_lines);
        replica.complete(false, meter, rng);
        replica.accept(Change::None);
        replica
    }

    /// The game of some moves, in a legal order, after those of the board.
    pub(super) fn from_moves(
        board: &L,
        max_lines: usize,
        moves: &[Move],
    ) -> Result<Self, StateError> {
        let names = moves.iter().copied().filter(|mv| board.is_name(mv.line));
        Self::from_dots(board, max_lines, &names.collect::<Vec<_>>(), &[])
    }

    /// The board without lines.
    fn empty(board: &L, max_lines: usize) -> Self {
        Self {
            board: Box::new(board.clone()),
            before: Box::new(board.clone()),
            max_lines,
            dots: Vec::new(),
            free: 0,
            lines: 0,
            places: Vec::new(),
            dependants: Dependants::default(),
            buffers: Buffers {
                chosen: Vec::new(),
                erased: Vec::new(),
                lost: L::LineSet::default(),
                back: Vec::new(),
                legal: Vec::new(),
                added: Vec::new(),
                next: Vec::new(),
            },
        }
    }

    /// The number of lines.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// The number of free dots; with any, this is no game.
    pub(super) fn free(&self) -> usize {
        self.free
    }

    /// The game in a legal order, after the moves `prefix` that it began with.
    pub(super) fn moves(&self, prefix: &[Move]) -> Vec<Move> {
        let mut moves = Vec::with_capacity(self.lines);
        for dot in &self.dots {
            self.board.append_moves(dot.line, dot.new, &mut moves);
        }
        let order = play_order(self.board.game(), prefix, moves);
        order.expect("drawn lines have an order")
    }

    /// Makes a proposal, and accepts or rejects it. There may be as many free dots as `free`.
    #[inline(never)]
    pub(super) fn propose(
        &mut self,
        settings: &Temper,
        free: usize,
        level: Level,
        meter: &mut BudgetMeter<'_>,
        rng: &mut Rng,
    ) {
        if self.dots.is_empty() {
            return;
        }
        if settings.remake > 0.0 && unit(rng) < settings.remake {
            return self.remake(settings, free, level, meter, rng);
        }
        if self.free < free && unit(rng) < FREEING {
            return self.free_one(level, meter, rng);
        }
        self.choose(settings, rng);
        let size = self.dependants.find(&self.buffers.chosen);
        let chosen = self.buffers.chosen.len();
        if !settings.allows((size - chosen) as f64, rng) {
            return;
        }
        let value = self.ruin(level.price);
        if chosen == 1 && self.board.legal_count() == 1 && value > 0.0 {
            // Only the same line can take its place, and all that was lost would be drawn again.
            std::mem::swap(&mut self.board, &mut self.before);
            return;
        }
        let hold = chosen == 1 || unit(rng) < settings.hold;
        let added = self.complete(hold, meter, rng);
        self.conclude(added - value, Change::None, level, rng);
    }

    /// Lets another line make a dot. Lines in its way are erased with all that depends on them, or
    /// leave their dots without a line.
    ///
    /// Nothing that depends on the dot is lost, so that this happens in the middle of long games
    /// too, where erasing a line and all its dependants would melt the game.
    fn remake(
        &mut self,
        settings: &Temper,
        free: usize,
        level: Level,
        meter: &mut BudgetMeter<'_>,
        rng: &mut Rng,
    ) {
        let place = below(rng, self.dots.len());
        let direction = Direction::ALL[below(rng, 4)];
        let rules = self.board.game().rules;
        let offset = below(rng, rules.length()) as u8;
        let dot = self.dots[place];
        let through = self.board.line_through(dot.line, dot.new, direction, offset);
        let Some((line, new)) = through else { return };
        let is_possible = self.board.has_all_dots(line)
            && self.place_of(line).is_none()
            && self.dependants.is_cached()
            && (0..rules.length() as u8).filter(|&offset| offset != new).all(|offset| {
                let maker = self.dependants.maker(self.board.dot_id(line, offset));
                maker.is_none_or(|maker| !self.dependants.depends(maker, place))
            });
        if !is_possible {
            return;
        }
        self.buffers.chosen.clear();
        if !self.board.is_unblocked(line) {
            let reach = rules.marks() as i32 - 1;
            for by in -reach..=reach {
                let blocker = self.board.shifted(line, by).and_then(|other| self.place_of(other));
                let chosen = &mut self.buffers.chosen;
                chosen.extend(blocker.filter(|&it| it != place && !chosen.contains(&it)));
            }
        }
        let blockers = self.buffers.chosen.len();
        let freeing = blockers > 0 && self.free + blockers <= free && unit(rng) < 0.5;
        let lines_of = |board: &L, line| board.multiplicity(line) as f64;
        let mut value = -level.price;
        if !dot.is_free {
            value = lines_of(&self.board, dot.line);
        }
        if freeing {
            self.dependants.find(&[]);
            self.keep_board();
            for &blocker in &self.buffers.chosen {
                let blocker = self.dots[blocker].line;
                value += lines_of(&self.board, blocker) + level.price;
                self.board.erase_keeping_dot(blocker);
            }
        } else {
            let size = self.dependants.find(&self.buffers.chosen);
            if self.dependants.is_found(place) || !settings.allows(size as f64, rng) {
                return;
            }
            value += self.ruin(level.price);
        }
        if !dot.is_free {
            self.board.erase_keeping_dot(dot.line);
        }
        if !(self.board.has_all_dots(line) && self.board.is_unblocked(line)) {
            std::mem::swap(&mut self.board, &mut self.before);
            return;
        }
        self.board.draw_without_dot(line);
        let hold = !freeing && unit(rng) < 0.5;
        let added = self.complete(hold, meter, rng) + lines_of(&self.board, line);
        let maker = PlacedDot::by(line, new);
        self.conclude(added - value, Change::Remake { place, maker, freeing }, level, rng);
    }

    /// Erases a line and leaves its dot.
    fn free_one(&mut self, level: Level, meter: &mut BudgetMeter<'_>, rng: &mut Rng) {
        let place = below(rng, self.dots.len());
        if self.dots[place].is_free {
            return;
        }
        self.buffers.chosen.clear();
        self.dependants.find(&[]);
        self.keep_board();
        let line = self.dots[place].line;
        self.board.erase_keeping_dot(line);
        let lost = self.board.multiplicity(line) as f64 + level.price;
        let added = self.complete(false, meter, rng);
        self.conclude(added - lost, Change::Free(place), level, rng);
    }

    /// Accepts or rejects what is on the board.
    #[inline(always)]
    fn conclude(&mut self, change: f64, how: Change, level: Level, rng: &mut Rng) {
        if level.accepts(change, rng) {
            self.accept(how);
        } else {
            std::mem::swap(&mut self.board, &mut self.before);
        }
    }

    /// The index of a line, if it is drawn.
    #[inline(always)]
    fn place_of(&self, line: u32) -> Option<usize> {
        let place = *self.places.get(line as usize)? as usize;
        let dot = self.dots.get(place)?;
        (dot.line == line && !dot.is_free).then_some(place)
    }

    /// Chooses a few distinct lines.
    fn choose(&mut self, settings: &Temper, rng: &mut Rng) {
        let count = 1 + below(rng, settings.chosen);
        let chosen = &mut self.buffers.chosen;
        chosen.clear();
        if settings.near > 0.0 && unit(rng) < settings.near {
            // Lines whose new dots lie within 3 of the first one's, by rejection sampling.
            let dot = |place: usize| -> Point {
                let PlacedDot { line, new, .. } = self.dots[place];
                self.board.line(line).point(usize::from(new))
            };
            let first = below(rng, self.dots.len());
            let centre = dot(first);
            chosen.push(first);
            for _ in 0..8 * count {
                if chosen.len() >= count {
                    break;
                }
                let place = below(rng, self.dots.len());
                let apart = dot(place) - centre;
                if apart.x.abs().max(apart.y.abs()) <= 3 && !chosen.contains(&place) {
                    chosen.push(place);
                }
            }
        } else {
            for _ in 0..count {
                let place = below(rng, self.dots.len());
                if !chosen.contains(&place) {
                    chosen.push(place);
                }
            }
        }
    }

    /// Before a proposal changes the board.
    #[inline(always)]
    fn keep_board(&mut self) {
        self.buffers.erased.clear();
        self.buffers.lost.clear();
        self.before.clone_from(&self.board);
    }

    /// Erases the chosen lines and those that depend on them; returns what they were worth.
    fn ruin(&mut self, price: f64) -> f64 {
        self.keep_board();
        let Self { board, dots, dependants, buffers, .. } = self;
        let (mut lines, mut free) = (0, 0);
        dependants.for_each_found(|place| {
            let PlacedDot { line, new, is_free } = dots[place];
            if is_free {
                free += 1;
                board.remove_free_dot(line, new);
                return;
            }
            lines += board.multiplicity(line);
            buffers.erased.push((line, new));
            if !buffers.chosen.contains(&place) {
                buffers.lost.insert(line);
            }
        });
        board.erase_all(&buffers.erased);
        lines as f64 - price * f64::from(free)
    }

    /// Draws lines until none is legal: lost ones first, then random ones. Returns their number.
    ///
    /// If the chosen lines are held back, they are drawn only when nothing else is legal. A lost
    /// line lacks its own dot and another, so none is legal at first; the board reports when that
    /// changes.
    fn complete(&mut self, hold: bool, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> f64 {
        let Self { board, max_lines, dots, buffers, .. } = self;
        let Buffers { chosen, erased, lost, back, legal, added, .. } = buffers;
        let most = (*max_lines + erased.len()).saturating_sub(dots.len());
        let is_chosen = |id: u32| chosen.iter().any(|&place| dots[place].line == id);
        back.clear();
        added.clear();
        let mut lines = 0;
        loop {
            let id = loop {
                match back.pop() {
                    Some(id) if board.is_legal(id) => break id,
                    Some(_) => {}
                    None => {
                        legal.clear();
                        board.append_legal(legal);
                        if legal.is_empty() {
                            return lines as f64;
                        }
                        let held = || legal.iter().filter(|&&id| is_chosen(id)).count();
                        let hold = hold && held() < legal.len();
                        break loop {
                            let id = legal[below(rng, legal.len())];
                            if !hold || !is_chosen(id) {
                                break id;
                            }
                        };
                    }
                }
            };
            if added.len() >= most {
                return lines as f64;
            }
            let new = board.draw_reporting_among(id, lost, |id| back.push(id));
            added.push(PlacedDot::by(id, new));
            lines += board.multiplicity(id);
            let look = added.len().is_multiple_of(256);
            if added.len() >= most || look && meter.look().is_break() {
                return lines as f64;
            }
        }
    }

    /// Sets the game to that of the board.
    fn accept(&mut self, how: Change) {
        let Self { board, dots, places, dependants, buffers, .. } = self;
        let Buffers { chosen, lost, erased, added, next, .. } = buffers;
        if matches!(how, Change::None) {
            // Often the same lines are drawn again. A free dot that was erased is not.
            let is_free = |&place: &usize| dots[place].is_free;
            let was_drawn = |dot: &PlacedDot| {
                let was_lost =
                    lost.contains(dot.line) && dots[places[dot.line as usize] as usize] == *dot;
                was_lost || chosen.iter().any(|&place| dots[place] == *dot)
            };
            let all_again = added.len() == erased.len() && added.iter().all(was_drawn);
            if all_again && !chosen.iter().any(is_free) {
                return;
            }
        }
        next.clear();
        let kept = |place: &usize| !dependants.is_found(*place);
        match how {
            Change::None => next.extend((0..dots.len()).filter(kept).map(|place| dots[place])),
            Change::Free(place) => {
                next.clone_from(dots);
                next[place].is_free = true;
            }
            Change::Remake { place, maker, freeing } => {
                if freeing {
                    for &blocker in &*chosen {
                        dots[blocker].is_free = true;
                    }
                }
                // What the new maker needs comes before it, what needs the dot after.
                let depends = |other: usize| dependants.depends(other, place);
                let others = (0..dots.len()).filter(kept);
                next.extend(others.clone().filter(|&p| !depends(p)).map(|p| dots[p]));
                next.push(maker);
                next.extend(others.filter(|&p| p != place && depends(p)).map(|p| dots[p]));
            }
        }
        next.extend_from_slice(added);
        std::mem::swap(dots, next);
        places.resize(board.line_count(), 0);
        (self.free, self.lines) = (0, 0);
        for (place, dot) in dots.iter().enumerate() {
            if dot.is_free {
                self.free += 1;
            } else {
                self.lines += board.multiplicity(dot.line);
                places[dot.line as usize] = place as u32;
            }
        }
        dependants.set_game(&**board, dots);
    }
}

/// The saved state of a replica.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplicaState {
    /// The placed dots in a legal order, each with its line.
    lines: MoveList,
    /// The indices of those that are free.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    free: Vec<usize>,
    /// The legal lines, in their order: not empty only if the game was cut.
    legal: LineList,
}

impl<L: LineBoard> Replica<L> {
    /// The state, without the moves that the game began with.
    pub(super) fn saved(&self) -> ReplicaState {
        let line = |dot: &PlacedDot| Move::new(self.board.line(dot.line), dot.new);
        let legal = |n| self.board.line(self.board.nth_legal(n));
        ReplicaState {
            lines: MoveList(self.dots.iter().map(line).collect()),
            free: (0..self.dots.len()).filter(|&place| self.dots[place].is_free).collect(),
            legal: LineList((0..self.board.legal_count()).map(legal).collect()),
        }
    }

    /// The replica of a state, on the board after the prefix.
    pub(super) fn restored(
        board: &L,
        max_lines: usize,
        saved: &ReplicaState,
    ) -> Result<Self, StateError> {
        let mut replica = Self::from_dots(board, max_lines, &saved.lines.0, &saved.free)?;
        if !replica.board.arrange_legal(&saved.legal.0) {
            return Err(StateError::Lines);
        }
        Ok(replica)
    }

    /// The replica with these dots, each given with its line; those at the indices `free` are free.
    fn from_dots(
        board: &L,
        max_lines: usize,
        moves: &[Move],
        free: &[usize],
    ) -> Result<Self, StateError> {
        in_range(moves.len() <= max_lines, "length of a game")?;
        in_range(free.is_sorted(), "order of free dots")?;
        in_range(free.iter().all(|&place| place < moves.len()), "index of a free dot")?;
        let length = board.game().rules.length();
        let mut replica = Self::empty(board, max_lines);
        let Self { board, buffers, .. } = &mut replica;
        for (place, mv) in moves.iter().enumerate() {
            let id = board.intern(mv.line).filter(|_| usize::from(mv.offset) < length);
            let id = id.ok_or(StateError::Undrawable)?;
            let is_free = free.binary_search(&place).is_ok();
            if board.has_dot(id, mv.offset) || !is_free && !board.is_legal(id) {
                return Err(StateError::Undrawable);
            }
            if is_free {
                board.place_free_dot(id, mv.offset);
            } else {
                board.draw(id);
            }
            buffers.added.push(PlacedDot { line: id, new: mv.offset, is_free });
        }
        replica.accept(Change::None);
        Ok(replica)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Event, ParameterValues};
    use geometry::{Game, Start};
    use rand::SeedableRng;
    use rules::{BitLineBoard, PlainLineBoard};
    use std::ops::ControlFlow;

    /// A replica that was saved and restored continues as the one that was not.
    fn check<L: LineBoard>(board: &L, max_lines: usize, free: usize) {
        let values = ParameterValues::parse(super::super::PARAMETERS, board.game(), []);
        let settings = Temper { remake: 0.3, ..Temper::from(&values.expect("defaults")) };
        let level = Level { temperature: 0.6, price: 1.0 };
        let mut on = |_: Event<'_>| ControlFlow::Continue(());
        let mut meter = BudgetMeter::new(Budget::default(), &mut on);
        let mut rng = Rng::seed_from_u64(3);
        let mut whole = Replica::new(board, max_lines, &mut meter, &mut rng);
        for _ in 0..20 {
            let mut again = Replica::restored(board, max_lines, &whole.saved()).expect("as saved");
            let mut same = rng.clone();
            for _ in 0..30 {
                whole.propose(&settings, free, level, &mut meter, &mut rng);
                again.propose(&settings, free, level, &mut meter, &mut same);
                assert_eq!(whole.saved(), again.saved());
                assert!(whole.free() <= free);
                let is_placed = |dot: &PlacedDot| whole.board.has_dot(dot.line, dot.new);
                assert!(whole.dots.iter().all(is_placed));
            }
            if whole.free() == 0 {
                assert_eq!(whole.moves(&[]).len(), whole.lines());
            }
        }
    }

    #[test]
    fn a_restored_replica_continues_as_before_cut_or_not() {
        for free in [0, 3] {
            check(&BitLineBoard::<5, true>::start(), 1000, free);
            check(&BitLineBoard::<5, false>::start(), 15, free);
            let game = Game {
                rules: "4D".parse().expect("known"),
                start: Start::cross(4).expect("in range"),
            };
            check(&PlainLineBoard::start(game.clone()), 1000, free);
            check(&PlainLineBoard::start(game), 15, free);
        }
    }

    #[test]
    fn a_state_with_a_dot_placed_twice_is_not_restored() {
        let board = BitLineBoard::<5, true>::start();
        let mut on = |_: Event<'_>| ControlFlow::Continue(());
        let mut meter = BudgetMeter::new(Budget::default(), &mut on);
        let mut rng = Rng::seed_from_u64(3);
        let saved = Replica::new(&board, 1000, &mut meter, &mut rng).saved();
        let restored = |saved: &ReplicaState| Replica::restored(&board, 1000, saved).map(|_| ());
        assert_eq!(restored(&saved), Ok(()));
        let mut twice = saved.clone();
        twice.lines.0.push(twice.lines.0[0]);
        twice.free.push(twice.lines.0.len() - 1);
        assert_eq!(restored(&twice), Err(StateError::Undrawable));
        let beyond = ReplicaState { free: vec![saved.lines.0.len()], ..saved };
        assert_eq!(restored(&beyond), Err(StateError::Range("index of a free dot")));
    }
}
