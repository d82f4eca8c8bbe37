//! What can be asked of all positions that go on from one.

/// An element of an algebra: games that go on from somewhere, added where there is a choice and multiplied
/// where two things have nothing to do with each other.
pub(crate) trait Value: Clone {
    /// Nothing is played.
    const ONE: Self;
    /// Whether only the longest games matter, so that what can never be wrong is done.
    const TAKES_LONGEST: bool;

    /// All of these with a move more.
    fn with_move(&self) -> Self;

    /// These or those.
    fn plus(&self, other: &Self) -> Result<Self, Overflow>;

    /// Any of these with any of those.
    fn times(&self, other: &Self) -> Result<Self, Overflow>;
}

/// A count beyond 2^128.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overflow;

/// How many moves the longest has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Longest(pub(crate) u32);

impl Value for Longest {
    const ONE: Self = Self(0);
    const TAKES_LONGEST: bool = true;

    fn with_move(&self) -> Self {
        Self(self.0 + 1)
    }

    fn plus(&self, other: &Self) -> Result<Self, Overflow> {
        Ok(Self(self.0.max(other.0)))
    }

    fn times(&self, other: &Self) -> Result<Self, Overflow> {
        Ok(Self(self.0 + other.0))
    }
}

/// How many there are of 0, 1, 2, ... moves; without trailing zeros. Nothing stands for one of no moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counts(Vec<u128>);

impl Counts {
    /// The counts of 0, 1, 2, ... moves.
    pub(crate) fn into_vec(self) -> Vec<u128> {
        if self.0.is_empty() { vec![1] } else { self.0 }
    }

    fn as_slice(&self) -> &[u128] {
        if self.0.is_empty() { &[1] } else { &self.0 }
    }
}

impl Value for Counts {
    const ONE: Self = Self(Vec::new());
    const TAKES_LONGEST: bool = false;

    fn with_move(&self) -> Self {
        let mut counts = Vec::with_capacity(self.as_slice().len() + 1);
        counts.push(0);
        counts.extend_from_slice(self.as_slice());
        Self(counts)
    }

    fn plus(&self, other: &Self) -> Result<Self, Overflow> {
        let (mut short, mut long) = (self.as_slice(), other.as_slice());
        if short.len() > long.len() {
            std::mem::swap(&mut short, &mut long);
        }
        let mut sum = long.to_vec();
        for (sum, more) in sum.iter_mut().zip(short) {
            *sum = sum.checked_add(*more).ok_or(Overflow)?;
        }
        Ok(Self(sum))
    }

    fn times(&self, other: &Self) -> Result<Self, Overflow> {
        if self.0.is_empty() {
            return Ok(other.clone());
        }
        let (these, those) = (self.as_slice(), other.as_slice());
        let mut product = vec![0u128; these.len() + those.len() - 1];
        for (moves, this) in these.iter().enumerate() {
            for (sum, that) in product[moves..].iter_mut().zip(those) {
                let more = this.checked_mul(*that).ok_or(Overflow)?;
                *sum = sum.checked_add(more).ok_or(Overflow)?;
            }
        }
        Ok(Self(product))
    }
}
