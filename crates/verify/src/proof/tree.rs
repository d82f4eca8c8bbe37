//! `morpion-tree`: an optimum, by a game and trees that leave no room for a longer one.
//!
//! The start is the cross of the rules, which all eight symmetries map onto itself; so they map
//! games to games. Let the distance of a point be how many rows or columns it lies outside the box
//! around the cross. A proof has branch-and-bound trees (`lp/branch.rs`) for a few regions, which
//! together contain all positions:
//!
//! - *leaving r*: there is no position that has exactly one dot at a distance beyond r, at r + 1 in
//!   the top row (perhaps beyond the right side, too). Consider a game and its first dot beyond
//!   distance r. It is on a line with dots within r, next to one of them, so at distance r + 1;
//!   turned or mirrored it is in the top row, and not beyond the left side. After that move the
//!   position is such a one; before it, all its dots were within r, and by the other regions it had
//!   at most N moves. So only positions of at most N + 1 moves need to be excluded. If there is
//!   none, all dots of all positions are within r.
//! - *inside i*: no position with all dots within distance i has more than N moves.
//! - *touching t*, for each t from i + 1 to r: no position with all dots within distance t, one of
//!   them in the top row of those, has more than N moves. A position that reaches distance t and
//!   not further is one, turned or mirrored.

use super::claim::{Claim, ProofStats, ProvenClaim};
use super::lp::{Region, verify_tree};
use super::text::{Text, number, points};
use crate::fault::ProofFault;
use crate::game::Replay;
use crate::refusal::{Place, Refusal};
use crate::rules::{Direction, Line, Move, Rules};
use crate::start::Start;

/// The greatest distance of a region.
const MAX_REACH: i32 = 12;

/// Verifies the game, then the trees, then that their regions contain all positions.
pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    let statement = text.statement()?;
    let rules = text.rules()?;
    let moves = text.value("moves", "`moves` and how many the game has", number)?;
    let claim = Claim::Exactly { rules, moves };
    claim.check_statement(statement)?;
    replay(text, rules, moves)?;
    let (mut regions, mut leaves) = (Vec::new(), 0);
    while !text.is_over() {
        let wanted = "`leaving`, `inside` or `touching` and an integer up to 12";
        let region = text.line(wanted, parse_region)?;
        if regions.contains(&region) {
            return Err(text.fault("a region that has not come before"));
        }
        leaves += verify_tree(text, rules, region, moves)?.leaves;
        regions.push(region);
    }
    check_complete(&regions)?;
    let stats = ProofStats { trees: regions.len(), leaves, ..ProofStats::default() };
    Ok(ProvenClaim::new(claim, stats))
}

fn parse_region(line: &str) -> Option<Region> {
    let (kind, reach) = line.split_once(' ')?;
    let reach = number(reach).filter(|reach| (0..=MAX_REACH).contains(reach))?;
    match kind {
        "leaving" => Some(Region::Leaving(reach)),
        "inside" => Some(Region::Inside(reach)),
        "touching" => Some(Region::Touching(reach)),
        _ => None,
    }
}

/// Refuses regions that do not contain every position.
fn check_complete(regions: &[Region]) -> Result<(), Refusal> {
    let missing = |case| Err(ProofFault::MissingCase { case }.into());
    let leaving = regions.iter().find_map(|region| match region {
        Region::Leaving(reach) => Some(*reach),
        _ => None,
    });
    let inside = regions.iter().filter_map(|region| match region {
        Region::Inside(reach) => Some(*reach),
        _ => None,
    });
    let Some(reach) = leaving else { return missing("leaving".to_owned()) };
    let Some(inside) = inside.max() else { return missing("inside".to_owned()) };
    let open = (inside + 1..=reach).find(|&reach| !regions.contains(&Region::Touching(reach)));
    open.map_or(Ok(()), |reach| missing(Region::Touching(reach).to_string()))
}

/// Replays the game, which comes next in the text.
fn replay(text: &mut Text<'_>, rules: Rules, moves: u32) -> Result<(), Refusal> {
    const MOVE: &str = "a move: its new dot, the first dot of its line, and E, S, SE or NE";
    let mut replay = Replay::new(rules, Start::Cross)?;
    for number in 1..=moves {
        let mv = text.line(MOVE, |line| {
            let (dots, direction) = line.rsplit_once(' ')?;
            let direction = Direction::parse(direction)?;
            let [new, first] = points(dots)?[..] else { return None };
            let near = new.within_limit() && first.within_limit();
            near.then_some(Move { new, line: Line { first, direction } })
        })?;
        replay.play(mv).map_err(|fault| Refusal::new(Place::Move(number), fault))?;
    }
    Ok(())
}
