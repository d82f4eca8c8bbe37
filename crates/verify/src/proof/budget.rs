//! How much work a proof may ask for.
//!
//! A short text can describe a huge linear program, or the same one many times over. So everything
//! that verifying takes is paid for from a [`Budget`], in *steps*: about one operation on integers
//! each, like adding one term of a row: [`allowed_steps`] says how many for a text of n bytes. Work
//! is paid for before it is done; a proof that cannot pay is refused, the same on every machine.
//!
//! A text format finds its budget in its `Text`, a JSON format in its argument; columns and sums
//! of duals cannot be had without one.

use crate::fault::ProofFault;

/// The steps that verifying a proof may take: 500,000,000, and 100 more for each byte of its text
/// after decompression, but at most 4,000,000,000, since a small file can have a long text.
#[must_use]
pub const fn allowed_steps(bytes: usize) -> u64 {
    let steps = 500_000_000 + 100 * bytes as u64;
    if steps < 4_000_000_000 { steps } else { 4_000_000_000 }
}

/// The steps that a proof has left.
#[derive(Debug)]
pub(crate) struct Budget {
    all: u64,
    left: u64,
}

impl Budget {
    /// The budget of a text of this many bytes.
    pub(crate) fn of_bytes(bytes: usize) -> Budget {
        let all = allowed_steps(bytes);
        Budget { all, left: all }
    }

    /// Pays for some steps that are to come.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), ProofFault> {
        self.spend_product(steps, 1)
    }

    /// Pays for `times` times some steps.
    pub(crate) fn spend_product(&mut self, steps: usize, times: usize) -> Result<(), ProofFault> {
        let steps = (steps as u64).saturating_mul(times as u64);
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(ProofFault::TooMuchWork { allowed: self.all }),
        }
    }

    /// The steps that were paid for.
    pub(crate) fn spent(&self) -> u64 {
        self.all - self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_grows_with_the_text_and_ends() {
        let mut budget = Budget::of_bytes(10);
        let all = allowed_steps(10) as usize;
        assert_eq!(budget.spend(all - 1), Ok(()));
        let fault = budget.spend(2).expect_err("too much work");
        assert_eq!(fault, ProofFault::TooMuchWork { allowed: all as u64 });
        // What could not be paid for was not done.
        assert_eq!((budget.spent(), budget.spend(1)), (all as u64 - 1, Ok(())));
        assert!(budget.spend_product(usize::MAX, usize::MAX).is_err());
        assert!(allowed_steps(10) < allowed_steps(11));
        assert_eq!(allowed_steps(1 << 26), allowed_steps(1 << 27));
    }
}
