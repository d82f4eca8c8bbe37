//! Tree search guided by a network: PUCT, as in AlphaZero (Silver et al. 2017).
//!
//! A simulation goes from the root to a position not yet in the tree, along the moves with the
//! highest sum of worth so far and of what the network expects; the network's value of that
//! position, or at the end of a game the ranked reward, is added to all moves on the way. Several
//! simulations can wait for the network together: until it answers, each counts as a loss on its
//! way.

use std::cmp::Ordering;

use geometry::Move;
use rules::Position;

use crate::encoder::{EncodedPosition, Encoder};

/// A game under way, and what the search knows of its continuations.
#[derive(Debug, Clone)]
pub(crate) struct SearchTree<B> {
    board: B,
    /// The root first; the children of a node lie side by side.
    nodes: Vec<Node>,
    /// The longest game that a simulation came to the end of.
    best: Vec<Move>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    first_child: u32,
    children: u32,
    visits: u32,
    /// The sum of the values of all visits.
    worth: f32,
    prior: f32,
    /// Which of the legal moves leads here.
    legal: u32,
}

/// A simulation that waits for the network.
#[derive(Debug)]
pub(crate) struct PendingLeaf {
    path: Vec<u32>,
    pub(crate) encoded: EncodedPosition,
}

impl Node {
    fn new(legal: u32, prior: f32) -> Self {
        Self { first_child: 0, children: 0, visits: 0, worth: 0.0, prior, legal }
    }
}

impl<B: Position> SearchTree<B> {
    /// A tree with nothing but its root.
    pub(crate) fn new(board: B) -> Self {
        Self { board, nodes: vec![Node::new(0, 1.0)], best: Vec::new() }
    }

    /// The position at the root.
    pub(crate) fn board(&self) -> &B {
        &self.board
    }

    /// The longest game that a simulation came to the end of.
    pub(crate) fn best(&self) -> &[Move] {
        &self.best
    }

    /// Whether the moves at the root are in the tree.
    pub(crate) fn has_root(&self) -> bool {
        self.nodes[0].children > 0
    }

    /// Descends the tree. A simulation that reaches the end of a game is over at once; another
    /// waits for the network.
    pub(crate) fn descend(
        &mut self,
        encoder: &Encoder,
        c: f32,
        threshold: Option<u32>,
    ) -> Option<PendingLeaf> {
        let mut board = self.board.clone();
        let mut path = vec![0];
        let mut at = 0;
        while self.nodes[at].children > 0 {
            at = self.choose(at, c);
            path.push(at as u32);
            board.play_nth(self.nodes[at].legal as usize);
        }
        let encoded = encoder.encode(&board);
        for &node in &path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.worth -= 1.0;
        }
        if !encoded.moves.is_empty() {
            return Some(PendingLeaf { path, encoded });
        }
        if board.score() > self.best.len() {
            self.best = board.moves();
        }
        let order = threshold.map(|threshold| (board.score() as u64).cmp(&threshold.into()));
        self.back_up(
            &path,
            match order {
                Some(Ordering::Greater) => 1.0,
                Some(Ordering::Less) => -1.0,
                // It is 1 or -1 at random: 0 on average.
                Some(Ordering::Equal) | None => 0.0,
            },
        );
        None
    }

    /// The child with the highest sum of worth and expectation, the first of equals.
    fn choose(&self, at: usize, c: f32) -> usize {
        let Node { first_child, children, visits, .. } = self.nodes[at];
        let explored = c * (visits as f32).sqrt();
        let children = first_child as usize..(first_child + children) as usize;
        let (mut best, mut most) = (children.start, f32::NEG_INFINITY);
        for number in children {
            let node = &self.nodes[number];
            let worth = if node.visits == 0 { 0.0 } else { node.worth / node.visits as f32 };
            let sum = worth + explored * node.prior / (1 + node.visits) as f32;
            if sum > most {
                (best, most) = (number, sum);
            }
        }
        best
    }

    /// The network's answer to a simulation that waits: the probability of each move, and the
    /// value.
    pub(crate) fn answer(&mut self, waiting: &PendingLeaf, shares: &[f32], value: f32) {
        let leaf = *waiting.path.last().expect("a path has the root") as usize;
        // Two simulations may have waited at the same place.
        if self.nodes[leaf].children == 0 {
            self.nodes[leaf].first_child = self.nodes.len() as u32;
            self.nodes[leaf].children = shares.len() as u32;
            let moves = waiting.encoded.moves.iter().zip(shares);
            self.nodes.extend(moves.map(|(&(legal, _), &prior)| Node::new(legal, prior)));
        }
        self.back_up(&waiting.path, value);
    }

    /// Replaces the losses of a simulation by its value.
    fn back_up(&mut self, path: &[u32], value: f32) {
        for &node in path {
            self.nodes[node as usize].worth += 1.0 + value;
        }
    }

    fn root_children(&self) -> std::ops::Range<usize> {
        let Node { first_child, children, .. } = self.nodes[0];
        first_child as usize..(first_child + children) as usize
    }

    /// Changes what the network expects of each move at the root.
    pub(crate) fn change_root(&mut self, change: impl FnOnce(&mut [f32])) {
        let children = self.root_children();
        let mut priors: Vec<f32> =
            self.nodes[children.clone()].iter().map(|node| node.prior).collect();
        change(&mut priors);
        for (node, prior) in self.nodes[children].iter_mut().zip(priors) {
            node.prior = prior;
        }
    }

    /// How large a part of the simulations each move at the root had.
    pub(crate) fn visit_shares(&self) -> Vec<f32> {
        let nodes = &self.nodes[self.root_children()];
        let sum: u32 = nodes.iter().map(|node| node.visits).sum();
        let share = |node: &Node| {
            if sum == 0 { node.prior } else { node.visits as f32 / sum as f32 }
        };
        nodes.iter().map(share).collect()
    }

    /// Plays move number `number` at the root. What is known of its continuations stays known.
    pub(crate) fn advance(&mut self, number: usize) {
        let root = self.root_children().start + number;
        self.board.play_nth(self.nodes[root].legal as usize);
        let old = std::mem::take(&mut self.nodes);
        self.nodes.push(old[root]);
        let mut next = 0;
        while next < self.nodes.len() {
            let Node { first_child, children, .. } = self.nodes[next];
            if children > 0 {
                self.nodes[next].first_child = self.nodes.len() as u32;
                let (from, count) = (first_child as usize, children as usize);
                self.nodes.extend_from_slice(&old[from..from + count]);
            }
            next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Game;
    use rules::PlainPosition;

    fn encoder() -> Encoder {
        Encoder::new(&Game::named("5D").expect("known"), 16, false).expect("a board")
    }

    fn tree(encoder: &Encoder) -> SearchTree<PlainPosition> {
        SearchTree::new(PlainPosition::start(encoder.game().clone()))
    }

    /// Simulates with a network that knows nothing, except that move number `good` is worth
    /// something.
    fn simulate(
        tree: &mut SearchTree<PlainPosition>,
        encoder: &Encoder,
        simulations: usize,
        good: usize,
    ) {
        let begun = tree.board().score();
        for _ in 0..simulations {
            let Some(waiting) = tree.descend(encoder, 1.0, None) else { continue };
            let shares =
                vec![1.0 / waiting.encoded.moves.len() as f32; waiting.encoded.moves.len()];
            let path = &waiting.path;
            let first = path.get(1).map(|&node| node as usize - tree.root_children().start);
            let value = if first == Some(good) { 0.5 } else { -0.5 };
            tree.answer(&waiting, &shares, value);
            assert_eq!(tree.board().score(), begun);
        }
    }

    #[test]
    fn a_move_that_is_worth_more_is_visited_more() {
        let encoder = encoder();
        let mut tree = tree(&encoder);
        simulate(&mut tree, &encoder, 400, 17);
        let shares = tree.visit_shares();
        assert_eq!(shares.len(), 28);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(shares[17] > 0.5, "{shares:?}");
        assert!(shares.iter().all(|&share| share > 0.0));
    }

    #[test]
    fn worth_is_the_mean_of_values_and_waiting_counts_as_a_loss() {
        let encoder = encoder();
        let mut tree = tree(&encoder);
        let waiting = tree.descend(&encoder, 1.0, None).expect("the start is no end");
        assert_eq!((tree.nodes[0].visits, tree.nodes[0].worth), (1, -1.0));
        tree.answer(&waiting, &[1.0 / 28.0; 28], 0.25);
        assert_eq!((tree.nodes[0].visits, tree.nodes[0].worth), (1, 0.25));
        let one = tree.descend(&encoder, 1.0, None).expect("no end");
        let other = tree.descend(&encoder, 1.0, None).expect("no end");
        assert_ne!(one.path, other.path);
    }

    #[test]
    fn what_is_known_of_a_continuation_stays_known() {
        let encoder = encoder();
        let mut tree = tree(&encoder);
        simulate(&mut tree, &encoder, 300, 5);
        let visits = tree.nodes[tree.root_children().start + 5].visits;
        tree.advance(5);
        assert_eq!((tree.board().score(), tree.nodes[0].visits), (1, visits));
        let inside: u32 = tree.nodes[tree.root_children()].iter().map(|node| node.visits).sum();
        assert_eq!(inside, visits - 1);
        simulate(&mut tree, &encoder, 50, 0);
        assert_eq!(tree.nodes[0].visits, visits + 50);
    }
}
